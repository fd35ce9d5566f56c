import fc from 'fast-check';
import { details, entry, iban, ofAccount, statement } from '../../testing/camt';
import { readFile } from '../../testing/files';

test('an entry has what an accountant needs, in pieces of any size', async () => {
  const text = statement(
    entry(
      '12.50',
      'DBIT',
      '<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2025-01-31</Dt></BookgDt><ValDt><DtTm>2025-02-01T10:00:00+01:00</DtTm>' +
        '</ValDt><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>' +
        `${details(
          '<Refs><AcctSvcrRef>B7</AcctSvcrRef><EndToEndId>E1</EndToEndId></Refs><AmtDtls><InstdAmt><Amt ' +
            'Ccy="USD">13.00</Amt></InstdAmt></AmtDtls><RltdPties><Dbtr><Pty><Nm>Me</Nm></Pty></Dbtr><Cdtr><Pty>' +
            '<Nm>Bob ' +
            '&amp; ' +
            'Söhne</Nm></Pty></Cdtr><CdtrAcct><Id><IBAN>FR2</IBAN></Id></CdtrAcct></RltdPties><RmtInf><Ustrd>Invoice ' +
            '1</Ustrd><Ustrd>of May</Ustrd><Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf></Strd></RmtInf>',
        )}`,
    ),
  );
  for (const pieceBytes of [1, 65_536]) {
    const { rows, rejected } = await readFile(text, {}, pieceBytes);
    expect(rejected).toEqual([]);
    expect(rows).toMatchObject([
      {
        line: 1,
        data: {
          statement_id: 'S1',
          account_id: 'DE1',
          account_currency: 'EUR',
          bank_bic: 'BANKDEFF',
          status: 'BOOK',
          booking_date: '2025-01-31',
          value_date: '2025-02-01',
          amount: -12.5,
          currency: 'EUR',
          bank_reference: 'B7',
          bank_transaction_code: 'PMNT/ICDT/ESCT',
          end_to_end_id: 'E1',
          counterparty_name: 'Bob & Söhne',
          counterparty_account: 'FR2',
          remittance_information: 'Invoice 1 of May',
          creditor_reference: 'RF18',
          original_amount: 13,
          original_currency: 'USD',
          is_reversal: false,
        },
      },
    ]);
  }
});

test.each<[string, string, string, number[]]>([
  ['without details', '08', entry('3', 'CRDT'), [3]],
  ['with one detail', '08', entry('3', 'CRDT', details('<Amt Ccy="EUR">3</Amt>')), [3]],
  [
    'with details that have amounts',
    '08',
    entry('3', 'CRDT', details('<Amt Ccy="EUR">1</Amt>', '<Amt Ccy="EUR">1.5</Amt>', '<Amt Ccy="EUR">0.5</Amt>')),
    [1, 1.5, 0.5],
  ],
  [
    'with details of both directions',
    '08',
    entry(
      '1',
      'CRDT',
      details('<Amt Ccy="EUR">2</Amt><CdtDbtInd>CRDT</CdtDbtInd>', '<Amt Ccy="EUR">1</Amt><CdtDbtInd>DBIT</CdtDbtInd>'),
    ),
    [2, -1],
  ],
  [
    'with details of version 02',
    '02',
    entry(
      '3',
      'DBIT',
      details(
        '<AmtDtls><TxAmt><Amt Ccy="EUR">1</Amt></TxAmt></AmtDtls>',
        '<AmtDtls><TxAmt><Amt Ccy="EUR">2</Amt></TxAmt></AmtDtls>',
      ),
    ),
    [-1, -2],
  ],
  ['with details without amounts', '02', entry('3', 'DBIT', details('<Refs/>', '<Refs/>')), [-3]],
  [
    'that follow each other',
    '02',
    entry('1', 'DBIT', details('<Refs/>')) + entry('2', 'CRDT') + entry('0', 'DBIT'),
    [-1, 2, 0],
  ],
])('entries %s give the amounts that add up to them', async (_what, version, entries, amounts) => {
  const { rows } = await readFile(statement(entries, version));
  expect(rows.map(({ data }) => data.amount)).toEqual(amounts);
});

test.each([
  ['-5.00', 'DBIT', 5, true],
  ['-5.00', 'CRDT', -5, true],
  ['5.00', 'DBIT', -5, false],
  ['-0.00', 'DBIT', 0, false],
])('a sign beside the direction turns it round and is told: %s %s', async (text, direction, amount, isTold) => {
  const { detected, rows } = await readFile(statement(entry(text, direction), '02'));
  expect(rows.map(({ data }) => data.amount)).toEqual([amount]);
  expect(detected.warnings?.some(({ code }) => code === 'negative_amounts')).toBe(isTold);
});

test('who pays back in a reversal is who was paid', async () => {
  const parties = details('<RltdPties><Dbtr><Nm>Me</Nm></Dbtr><Cdtr><Nm>Shop</Nm></Cdtr></RltdPties>');
  const { rows } = await readFile(
    statement(entry('5', 'DBIT', parties) + entry('5', 'CRDT', `<RvslInd>true</RvslInd>${parties}`), '02'),
  );
  expect(rows.map(({ data }) => [data.amount, data.counterparty_name])).toEqual([
    [-5, 'Shop'],
    [5, 'Shop'],
  ]);
});

test.each([
  ['no amount', '<Ntry><CdtDbtInd>CRDT</CdtDbtInd></Ntry>', 'missing_amount'],
  ['an amount that is none', entry('1.00,00', 'CRDT'), 'value_out_of_range'],
  ['no direction', '<Ntry><Amt Ccy="EUR">1</Amt></Ntry>', 'missing_amount'],
  ['a day that is none', entry('1', 'CRDT', '<BookgDt><Dt>2025-02-30</Dt></BookgDt>'), 'value_out_of_range'],
])('an entry with %s is rejected, the next one is read', async (_what, bad, code) => {
  const { rows, rejected } = await readFile(statement(bad + entry('2', 'CRDT')));
  expect(rejected).toMatchObject([{ line: 1, code }]);
  expect(rows).toMatchObject([{ line: 2, data: { amount: 2 } }]);
});

test('names may have prefixes, and the encoding is the declared one', async () => {
  const text =
    '<?xml version="1.0" encoding="ISO-8859-1"?><n:Document ' +
    'xmlns:n="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><n:BkToCstmrStmt><n:Stmt><n:Ntry><n:Amt ' +
    'Ccy="EUR">1</n:Amt><n:CdtDbtInd>CRDT</n:CdtDbtInd><n:AddtlNtryInf>Gebühr</n:AddtlNtryInf></n:Ntry>' +
    '</n:Stmt></n:BkToCstmrStmt></n:Document>';
  const { rows, detected } = await readFile(Buffer.from(text, 'latin1'));
  expect(detected.encoding).toBe('iso-8859-1');
  expect(rows[0]?.data.additional_information).toBe('Gebühr');
});

test.each<[string, string]>([
  ['entities of its own', statement('').replace('<Document', '<!DOCTYPE x [<!ENTITY a "b">]><Document')],
  ['elements that are too deep', statement('<a>'.repeat(100))],
  ['an end in the middle', statement(entry('1', 'CRDT')).slice(0, -60)],
  ['an entry without end', statement(`<Ntry>${'<a></a>'.repeat(60_000)}</Ntry>`)],
])('a statement with %s is refused with what to do', async (_what, text) => {
  await expect(readFile(text)).rejects.toMatchObject({ code: 'file_damaged' });
});

test.each<[string, string, string, string]>([
  ['a report', 'camt.052', 'BkToCstmrAcctRpt', 'Rpt'],
  ['a notification', 'camt.054', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
])('%s is read like a statement', async (_what, format, message, container) => {
  for (const version of ['01', '02', '04', '08', '13']) {
    const text = ofAccount(entry('3', 'CRDT', '<Sts>PDNG</Sts>'), version)
      .replaceAll('camt.053', format)
      .replaceAll('BkToCstmrStmt', message)
      .replaceAll('Stmt>', `${container}>`);
    const { detected, rows } = await readFile(text);
    expect(detected.format).toBe(format);
    expect(rows).toMatchObject([{ data: { account_id: iban, amount: 3, status: 'PDNG' } }]);
    expect(detected.warnings).toMatchObject([{ code: 'pending_transactions' }]);
  }
});

const balance = (code: string, amount: string, direction = 'CRDT'): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}` +
  '</CdtDbtInd><Dt><Dt>2026-01-31</Dt></Dt></Bal>';

test('balances are kept, also without entries, and checked against the booked entries', async () => {
  const empty = await readFile(ofAccount(balance('OPBD', '5', 'DBIT')));
  expect(empty.rows).toEqual([]);
  expect(empty.detected.warnings).toMatchObject([{ code: 'no_transactions' }]);
  expect(empty.detected.statements?.[0]?.balances).toContainEqual({
    type: 'opening',
    amount: -5,
    currency: 'EUR',
    date: '2026-01-31',
  });
  const entries = entry('3', 'CRDT') + entry('9', 'CRDT', '<Sts><Cd>PDNG</Cd></Sts>');
  const warnings = async (closing: string): Promise<unknown> =>
    (await readFile(ofAccount(balance('PRCD', '1') + balance('CLBD', closing) + entries))).detected.warnings?.map(
      ({ code }) => code,
    );
  expect(await warnings('4')).toEqual(['pending_transactions']);
  expect(await warnings('13')).toEqual(['pending_transactions', 'balance_differs']);
});

test('a text of the bank is kept with its statement', async () => {
  const { detected } = await readFile(statement(`${entry('1', 'CRDT')}<AddtlStmtInf> Fees rise </AddtlStmtInf>`));
  expect(detected.statements).toMatchObject([{ id: 'S1', additional_information: 'Fees rise' }]);
});

const anyElement = fc.constantFrom(
  ...['Stmt', 'Ntry', 'NtryDtls', 'TxDtls', 'Amt Ccy="EUR"', 'CdtDbtInd', 'Refs', 'AcctSvcrRef', 'RltdPties', 'Bal'],
);
const anyTree = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom('1', '2.5', 'CRDT', 'DBIT', 'x', ''),
    fc
      .tuple(anyElement, fc.array(tie('node'), { maxLength: 4 }))
      .map(([name, inner]) => `<${name}>${inner.join('')}</${name.split(' ')[0] as string}>`),
  ),
})).node;

test('any elements give rows, rejected rows or a reason, and the same in pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(anyTree, fc.integer({ min: 1, max: 50 }), async (tree, pieceBytes) => {
      const text = ofAccount(tree);
      const { rows, rejected } = await readFile(text, {}, pieceBytes);
      expect({ rows, rejected }).toEqual(
        await readFile(text).then((whole) => ({ rows: whole.rows, rejected: whole.rejected })),
      );
      for (const { data } of rows) expect(Number.isFinite(Number(data.amount))).toBe(true);
    }),
    { numRuns: 300 },
  );
});
