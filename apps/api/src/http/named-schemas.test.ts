import { Type } from '@sinclair/typebox';
import { NamedSchemas } from './named-schemas';
import { closed, described, freeForm, nullable } from './schemas';

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function componentsOf(schema: object): Record<string, { properties: Record<string, unknown> }> {
  const named = new NamedSchemas();
  expect(named.refer(schema, 'MatchGroup')).toEqual(to('MatchGroup'));
  return named.byName as Record<string, { properties: Record<string, unknown> }>;
}

test('an object is named by what holds it and its property', () => {
  const approval = closed({ decided_by: closed({ id: Type.String() }) });
  const { MatchGroup, ...others } = componentsOf(closed({ approval, labels: freeForm() }));
  expect(MatchGroup?.properties).toEqual({
    approval: to('MatchGroupApproval'),
    labels: { type: 'object', additionalProperties: true },
  });
  expect(Object.keys(others)).toEqual(['MatchGroupApprovalDecidedBy', 'MatchGroupApproval']);
});

test.each([
  ['members', 'MatchGroupMember'],
  ['entries', 'MatchGroupEntry'],
  ['matches', 'MatchGroupMatch'],
  ['match_keys', 'MatchGroupMatchKey'],
  ['balances', 'MatchGroupBalance'],
  ['ageing', 'MatchGroupAgeing'],
])('an item of %s is a %s', (property, name) => {
  const list = Type.Array(closed({ id: Type.String() }));
  expect(componentsOf(closed({ [property]: list }))['MatchGroup']?.properties).toMatchObject({
    [property]: { type: 'array', items: to(name) },
  });
});

test('a value of a map is named as an item is', () => {
  const counts = Type.Unsafe({ type: 'object', additionalProperties: closed({ count: Type.Integer() }) });
  expect(componentsOf(closed({ counts }))['MatchGroup']?.properties).toEqual({
    counts: { type: 'object', additionalProperties: to('MatchGroupCount') },
  });
});

test('an object that may be null is a choice of its name and null, described where it stands', () => {
  const approval = nullable(closed({ note: Type.String() }), { description: 'null: it needs none' });
  const { MatchGroup, MatchGroupApproval } = componentsOf(closed({ approval }));
  expect(MatchGroup?.properties['approval']).toEqual({
    description: 'null: it needs none',
    anyOf: [to('MatchGroupApproval'), { type: 'null' }],
  });
  expect(MatchGroupApproval).toMatchObject({ type: 'object', properties: { note: { type: 'string' } } });
  expect(MatchGroupApproval).not.toHaveProperty('description');
});

test('a schema with a name of its own is one component wherever it stands, with a text for each place', () => {
  const sum = closed({ count: Type.Integer() }, { $id: 'Sum' });
  const { MatchGroup, ...others } = componentsOf(
    closed({ left: described(sum, 'Of the left side'), right: sum, rest: nullable(sum) }),
  );
  expect(MatchGroup?.properties).toEqual({
    left: { description: 'Of the left side', ...to('Sum') },
    right: to('Sum'),
    rest: { anyOf: [to('Sum'), { type: 'null' }] },
  });
  expect(Object.keys(others)).toEqual(['Sum']);
});

test('a property that is called like a keyword is a property', () => {
  const one = closed({ score: Type.Number() });
  const names = ['examples', 'enum', 'default', 'items', 'properties'];
  expect(Object.keys(componentsOf(closed(Object.fromEntries(names.map((name) => [name, one])))))).toEqual([
    'MatchGroupExamples',
    'MatchGroupEnum',
    'MatchGroupDefault',
    'MatchGroupItems',
    'MatchGroupProperties',
    'MatchGroup',
  ]);
});

test('two shapes with one name are refused', () => {
  const one = closed({ id: Type.String() }, { $id: 'MatchGroupNote' });
  expect(() => componentsOf(closed({ one, note: closed({ text: Type.String() }) }))).toThrow(
    'two schemas are named MatchGroupNote: give one of them another $id',
  );
});
