import { unknownIn, unknownNames } from './names-in';

const known = { left: ['amount', 'a note', 'date'], right: ['amount', 'date'] };
const found = (text: string) => unknownNames(text, known).map(({ name, nearest }) => [name, nearest]);

test('an unknown function and an unknown field are found where they stand, with the nearest name', () => {
  expect(unknownNames('1 + $roud(left.amont)', known)).toEqual([
    { kind: 'function', name: '$roud', nearest: '$round', position: 5, length: 5 },
    { kind: 'field', name: 'amont', side: 'left', nearest: 'amount', position: 16, length: 5 },
  ]);
  expect(found('left.x ~> $zzzzzz')).toEqual([
    ['x', null],
    ['$zzzzzz', null],
  ]);
});

test.each([
  'left.amount = right.amount and $abs(left.`a note`.deep.er) > 0',
  '"left.nope $nope(1)" & \'$nope(1)\' /* $nope(left.nope) */',
  '$match(left.date, /left.nope $nope\\(/i)',
  '($near := function($a, $cmp) { $cmp($a) }; $near(left.date, $abs))',
  '$remaining(left) = $rarity(right.amount)',
  'other.left.nope',
])('%s names nothing that is not there', (text) => {
  expect(found(text)).toEqual([]);
});

test('a side whose names are not known may have every field', () => {
  expect(unknownNames('left.nope', { left: [], right: [] })).toEqual([]);
});

describe('an expression over one record', () => {
  const ofLeft = (text: string) => unknownNames(text, known, 'left').map(({ name, nearest }) => [name, nearest]);

  test('has its names alone, and behind its side', () => {
    expect(unknownNames('$lowercase(amont)', known, 'left')).toEqual([
      { kind: 'field', name: 'amont', side: 'left', nearest: 'amount', position: 12, length: 5 },
    ]);
    expect(ofLeft('`a not` & left.dat')).toEqual([
      ['a not', 'a note'],
      ['dat', 'date'],
    ]);
    expect(unknownNames('`a note`', known, 'right').map(({ name, side }) => [name, side])).toEqual([
      ['a note', 'right'],
    ]);
    expect(ofLeft('nope[2].deep & (nope; amount)').map(([name]) => name)).toEqual(['nope', 'nope']);
  });

  test.each([
    '$match(date, /INV-\\d+/).match',
    'left.`a note` & `a note` . deep.er',
    'amount[price > 3 and other in [1]].name',
    'amount.(street & city) ^(price) { kind: $sum(total) }',
    '($f := function($x) { $x.price + amount }; $f(amount) in [true, null, 1e5])',
    '$ ~> |amount|{"price": cost}|',
    '$remaining(left) & date',
  ])('%s names nothing that is not there', (text) => {
    expect(ofLeft(text)).toEqual([]);
  });
});

test.each([
  ['amont', { name: 'amont', nearest: 'amount' }],
  ['amount', null],
  ['amount.value[0]', null],
  ['total.value', { name: 'total', nearest: null }],
  ['', null],
])('the path “%s” begins with a name that is not known: %j', (path, unknown) => {
  expect(unknownIn(path, ['amount', 'date'])).toEqual(unknown);
});
