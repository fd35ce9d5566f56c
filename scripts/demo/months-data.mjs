/** Rows are `[id, date, amount, text]`. What the bank books is the left side; invoices and bills are the right one. */

export const opening = 10_000;

/** The passes, in order: a payment and its return tie each other before the payment ties an invoice. */
export const passes = [
  {
    name: 'payments and their returns',
    datasets: ['bank', 'bank'],
    jsonataExpr: "$contains(right.text, 'RETURN') and $contains(right.text, left.text)",
    blocking: { amountKey: 'amount', dateKey: 'date', dateToleranceDays: 10 },
  },
  {
    name: 'bank against invoices',
    datasets: ['bank', 'invoices'],
    jsonataExpr: 'true',
    filters: ['$contains(left.text, right.number)'],
    blocking: { amountKey: 'amount', dateKey: 'date', dateToleranceDays: 60 },
    composition: {
      enabled: true,
      direction: 'right_to_many_left',
      dateStrategy: 'after',
      dateToleranceDays: 90,
      partial: { enabled: true },
    },
  },
  {
    name: 'bank against bills',
    datasets: ['bank', 'bills'],
    jsonataExpr: '$contains(left.text, right.number)',
    blocking: { amountKey: 'amount', dateKey: 'date', dateToleranceDays: 60 },
  },
];

/**
 * The portions that come in each month, with a run after each; then people's work. `release`
 * names a record whose group is taken apart, `confirm` names the invoice of a
 * proposal, `tie` the records of a group. `unseen`: what the bank's balance has beyond the lines that have come.
 */
export const months = [
  {
    month: '2026-01',
    lastDay: '2026-01-31',
    unseen: '-12.00',
    unexplainedBecause: 'the bank has booked a fee of 12.00 whose line has not come',
    portions: [
      {
        invoices: [
          ['I-101', '2026-01-05', '1200.00', 'Nordwind GmbH'],
          ['I-102', '2026-01-09', '480.00', 'Café Lumière'],
          ['I-103', '2026-01-12', '900.00', 'Acme Oy, three installments'],
        ],
        bills: [['R-201', '2026-01-08', '-640.00', 'Rent']],
        bank: [
          ['B-1', '2026-01-08', '-640.00', 'RENT R-201'],
          ['B-2', '2026-01-14', '1200.00', 'NORDWIND I-101'],
        ],
      },
      {
        invoices: [['I-104', '2026-01-28', '350.00', 'Bergmann AG']],
        bills: [['R-202', '2026-01-20', '-85.50', 'Telecom']],
        bank: [
          ['B-3', '2026-01-15', '300.00', 'ACME I-103 1 OF 3'],
          ['B-4', '2026-01-19', '478.50', 'CAFE LUMIERE I-102'],
          ['B-5', '2026-01-22', '-85.50', 'TELECOM R-202'],
          ['B-6', '2026-01-29', '300.00', 'ACME I-103 2 OF 3'],
        ],
      },
    ],
    confirm: [{ invoice: 'I-103', why: 'two of three installments are paid; the rest of the invoice stays open' }],
    tie: [
      {
        left: ['B-4'],
        right: ['I-102'],
        adjustment: { amount: '1.50', reasonCode: 'bank_fee' },
        why: 'a bank has kept its fee',
      },
    ],
  },
  {
    month: '2026-02',
    lastDay: '2026-02-28',
    portions: [
      {
        // The first one is late: the bank has booked it in January.
        bank: [
          ['B-7', '2026-01-31', '-12.00', 'ACCOUNT FEE R-203'],
          ['B-8', '2026-02-03', '350.00', 'BERGMANN I-104'],
          ['B-9', '2026-02-10', '220.00', 'MUELLER I-106'],
        ],
        bills: [['R-203', '2026-02-01', '-12.00', 'Account fee of January']],
        invoices: [
          ['I-105', '2026-02-04', '615.00', 'Sapphire Ltd'],
          ['I-106', '2026-02-05', '220.00', 'Müller KG'],
        ],
      },
      {
        bank: [
          ['B-10', '2026-02-12', '-220.00', 'RETURN MUELLER I-106'],
          ['B-11', '2026-02-16', '300.00', 'ACME I-103 3 OF 3'],
          ['B-12', '2026-02-20', '651.00', 'SAPPHIRE I-105'],
        ],
      },
      { release: 'B-9', why: 'the bank has returned the payment' },
      // Sent again with the amount that the customer was asked for.
      { correction: true, invoices: [['I-105', '2026-02-04', '651.00', 'Sapphire Ltd']] },
    ],
  },
  {
    month: '2026-03',
    lastDay: '2026-03-31',
    portions: [
      {
        bank: [['B-13', '2026-03-02', '220.00', 'MUELLER I-106']],
        invoices: [
          ['I-107', '2026-03-03', '410.00', 'Nordwind GmbH'],
          ['I-108', '2026-03-06', '200.00', 'Nordwind GmbH'],
        ],
      },
      {
        bank: [
          ['B-14', '2026-03-18', '603.90', 'NORDWIND MARCH'],
          ['B-15', '2026-03-30', '55.00', 'CASH DEPOSIT'],
        ],
        invoices: [['I-109', '2026-03-29', '770.00', 'Valemont Builders']],
      },
    ],
    tie: [
      {
        left: ['B-14'],
        right: ['I-107', 'I-108'],
        adjustment: { amount: '6.10', reasonCode: 'discount' },
        why: 'one payment for two invoices, less a discount',
      },
    ],
  },
];
