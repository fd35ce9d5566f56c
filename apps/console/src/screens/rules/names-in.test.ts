import { unknownNames } from './names-in';

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
