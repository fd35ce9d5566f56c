/** Two files and a rule set, by which the command line and the service are compared. */
export interface CompareCase {
  name: string;
  left: string;
  right: string;
  rules: { engine?: string; jsonataExpr?: string; params: Record<string, unknown> };
}

const rows = (header: string, lines: readonly string[]): string => [header, ...lines, ''].join('\n');

/** Rows that differ in ways that repeat at different intervals. */
const many = (count: number, line: (no: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => line(at + 1));

const day = (no: number): string => `2026-03-${String((no % 28) + 1).padStart(2, '0')}`;

const invoices = rows(
  'No,Amount,Date,Customer',
  many(120, (no) => `I-${1000 + no},${(no % 17) * 10 + 0.5},${day(no)},Customer ${no % 9} Ltd`),
);
const payments = rows(
  'ref,amount,booked,text',
  many(140, (no) => `${no},${(no % 19) * 10 + 0.5},${day(no + 1)},paid by Customer ${no % 11} Ltd for I-${1000 + no}`),
);

const window = { amountKeyLeft: 'amount', amountKeyRight: 'amount', dateKeyLeft: 'date', dateKeyRight: 'booked' };

export const compareCases: readonly CompareCase[] = [
  {
    name: 'windows of amount and date, one to one with ties',
    left: invoices,
    right: payments,
    rules: {
      engine: 'jsonata',
      jsonataExpr: '$contains(right.text, left.no) ? 1 : $contains(right.text, left.customer) ? 0.8 : 0.6',
      params: {
        Tmatch: 0.8,
        Tpossible: 0.5,
        assignment: 'one_to_one',
        blocking: { ...window, amountTolerancePercent: 0, dateToleranceDays: 5 },
      },
    },
  },
  {
    name: 'equal records on both sides',
    left: rows('amount,date', ['10.00,2026-01-02', '10.0,2026-01-02', '10,2026-01-02', '20,2026-01-03']),
    right: rows('amount,date', ['10,2026-01-02', '10.00,2026-01-02', '20,2026-01-03', '20,2026-01-03']),
    rules: {
      engine: 'jsonata',
      jsonataExpr: 'left.amount = right.amount',
      params: { Tmatch: 1, Tpossible: 1, assignment: 'one_to_one', blocking: { amountKey: 'amount', dateKey: 'date' } },
    },
  },
  {
    name: 'keys and similar texts, with matchers that abstain',
    left: invoices,
    right: payments,
    rules: {
      engine: 'jsonata-batch',
      params: {
        Tmatch: 0.9,
        Tpossible: 0.3,
        maxPossiblePerRecord: 3,
        blocking: {
          rules: [
            { name: 'number', keys: [{ left: 'no', right: '$match(text, /I-[0-9]+/).match' }] },
            { name: 'customer', text: { left: 'customer', right: 'text', top: 4 } },
            { name: 'money', ...window, amountTolerance: 0, dateToleranceDays: 2 },
          ],
        },
        matchers: [
          { id: 'no', expr: '$contains(right.text, left.no)', weight: 3 },
          { id: 'amount', expr: '$amountClose(left.amount, right.amount, 0)', weight: 1 },
          { id: 'rare', expr: '$rarity(left.customer) < 0.1 ? 1 : null' },
        ],
      },
    },
  },
  {
    name: 'groups in both directions, after pairs',
    left: rows('id,amount,date', [
      'a,100,2026-02-01',
      'b,50,2026-02-01',
      'c,30,2026-02-02',
      'd,20,2026-02-02',
      'e,77,2026-02-03',
    ]),
    right: rows('id,amount,date', [
      'a,60,2026-02-01',
      'b,40,2026-02-02',
      'c,50,2026-02-01',
      'd,50,2026-02-02',
      'e,5,2026-02-03',
    ]),
    rules: {
      engine: 'jsonata',
      jsonataExpr: 'left.id = right.id',
      params: {
        Tmatch: 1,
        Tpossible: 0.5,
        assignment: 'one_to_one',
        blocking: { amountKey: 'amount', dateKey: 'date', amountTolerancePercent: 0, dateToleranceDays: 3 },
        composition: { enabled: true, direction: 'both', dateStrategy: 'window', partial: { enabled: true } },
      },
    },
  },
  {
    name: 'filters, values that fail and expressions that fail',
    left: rows('id,amount,kind', [...many(1100, (no) => `${no},${no}.50,open`), '1101,none,open', '1102,5.50,closed']),
    right: rows('id,amount,kind', [...many(30, (no) => `${no},${no}.50,${no % 5 === 0 ? 'x' : 'open'}`), '31,,open']),
    rules: {
      engine: 'jsonata',
      jsonataExpr: 'left.id = 3 ? $error("three") : left.id = right.id',
      params: {
        Tmatch: 1,
        Tpossible: 1,
        filters: ["left.kind = 'open'", "right.kind = 'open'", 'right.id != 7 or $error("seven")', 'left.id != 9'],
        blocking: { amountKey: 'amount' },
      },
    },
  },
  {
    name: 'numbers and dates in other notations, opposite signs, timestamps',
    left: 'Beleg;Betrag;Datum\nA;-1.234,50;31.12.2025\nB;-99,90;01.01.2026\nC;-0,10;15.01.2026\n',
    right: JSON.stringify([
      { doc: 'A', amount: 1234.5, at: '2025-12-31T23:30:00Z' },
      { doc: 'B', amount: 99.9, at: '2025-12-31T22:59:00Z' },
      { doc: 'X', amount: 0.1, at: '2026-01-15T10:00:00Z' },
    ]),
    rules: {
      engine: 'jsonata-batch',
      params: {
        Tmatch: 1,
        Tpossible: 0.5,
        amountSign: 'opposite',
        timezone: 'Europe/Berlin',
        blocking: {
          amountKeyLeft: 'betrag',
          amountKeyRight: 'amount',
          dateKeyLeft: 'datum',
          dateKeyRight: 'at',
          amountTolerance: 0,
          dateToleranceDays: 1,
        },
        matchers: [
          { id: 'doc', expr: 'left.beleg = right.doc' },
          { id: 'rest', expr: '$remaining(left) + $remaining(right) = 0' },
        ],
      },
    },
  },
  {
    name: 'no blocking at all',
    left: rows(
      'a',
      many(40, (no) => `${no % 7}`),
    ),
    right: rows(
      'b',
      many(50, (no) => `${no % 5}`),
    ),
    rules: { engine: 'jsonata', jsonataExpr: 'left.a = right.b ? 1 : 0.2', params: { Tmatch: 1, Tpossible: 0.2 } },
  },
];
