import { readFile } from '../../testing/files';

const names = ['Kategorie', 'Budget'];

test.each<[string, string, number]>([
  ['one word', 'Kategorie;Budget\nMiete;offen\nStrom;1.200,00\n', 2],
  ['one word, among many amounts', 'Kategorie;Budget\nMiete;offen\nStrom;1.200,00\nGas;2,00\nWasser;3,00\n', 4],
  ['repeated words', 'Kategorie;Budget\nMiete;offen\nGas;offen\nStrom;1.200,00\nWasser;30,00\n', 4],
  ['tabs', 'Kategorie\tBudget\nMiete\toffen\nStrom\t1.200,00\nGas\t2,00\n', 3],
])('words in the first row do not make it the header: %s', async (_what, content, count) => {
  const { rows, detected, warnings } = await readFile(content);
  expect([detected.headers, rows.length]).toEqual([names, count]);
  const isSure = (detected.evidence?.confidence ?? 0) >= 0.5;
  expect(warnings.some(({ code }) => code === 'reading_uncertain')).toBe(!isSure);
});

test('two rows of words above the values are told, and headerRow settles which names the columns', async () => {
  const content = 'Vendor;Open\nAcme;pending\nBeta;12,50\nGamma;11,00\n';
  const { detected, warnings } = await readFile(content);
  const likelier = { delimiter: ';', headerLine: 2, confidence: 0.6 };
  expect(detected.evidence).toMatchObject({
    confidence: 0.4,
    alternatives: expect.arrayContaining([likelier]) as unknown,
  });
  expect(warnings[0]?.message).toContain('line 2 as the names of the columns');
  const { warnings: settled } = await readFile(content, { headerRow: 1 });
  expect(settled.filter(({ code }) => code === 'reading_uncertain')).toEqual([]);
});

test.each<[string, string, string[]]>([
  ['words below it', 'Kategorie;Budget\nMiete;offen\nStrom;1.200,00\n', names],
  ['known names below it', 'Report;March\nDate;Amount\n2026-01-13;1,50\n', ['Report', 'March']],
  [
    'a title of fewer cells above it',
    'Report;March\nDate;Text;Amount\n2026-01-13;a;1,50\n',
    ['Date', 'Text', 'Amount'],
  ],
  ['an empty first name', ';Date;Amount\n0;2026-01-01;1.5\n1;2026-01-02;2.5\n', ['column_1', 'Date', 'Amount']],
  ['fewer names than columns', 'a;b\n1;2;3\n4;5;6\n', ['a', 'b', 'column_3']],
])('header=true makes the first full row the header: %s', async (_what, content, headers) => {
  expect((await readFile(content, { header: true })).detected.headers).toEqual(headers);
});

test.each([
  '550e8400-e29b-41d4-a716-446655440000,12.50\n6ba7b810-9dad-11d1-80b4-00c04fd430c8,13.50\n',
  'a3f5c9,12.50\nb7d2e1,13.50\n09aa77,14.50\n',
])('identifiers before amounts with a point are cells of their own, also without names: %j', async (content) => {
  expect((await readFile(content)).detected.types).toEqual({ column_1: 'string', column_2: 'amount' });
});

test('units below the names of all columns are joined with them', async () => {
  const { detected } = await readFile('Datum;Text;Betrag\n(TT.MM.JJJJ);(Text);(EUR)\n13.02.2026;a;1,50\n');
  expect(detected.headers).toEqual(['Datum (TT.MM.JJJJ)', 'Text (Text)', 'Betrag (EUR)']);
});

test.each(['a@b.de\nc@d.de\ne@f.de\n', '10.0.0.1\n10.0.0.12\n', 'a@b.de;10.0.0.1\nab@cd.de;10.0.0.12\n'])(
  'addresses in the first row are a row: %j',
  async (content) => {
    const { rows, warnings } = await readFile(content);
    expect(rows).toHaveLength(content.trim().split('\n').length);
    expect(warnings.map(({ code }) => code)).toContain('no_header');
  },
);

test.each(['DATE;TEXT;AMOUNT', 'date;text;amount', 'Date;Text;Amount'])(
  'a line that repeats the names in any case is left out: %s',
  async (line) => {
    const { rows, warnings } = await readFile(`Date;Text;Amount\n2026-01-13;a;1.50\n${line}\n2026-01-14;b;2.50\n`);
    expect(rows.map(({ line: at }) => at)).toEqual([2, 4]);
    expect(warnings.map(({ code }) => code)).toEqual(['repeated_header']);
  },
);

test.each([
  ['；', '日期；金额；说明\n2026-01-01；1.50；a\n2026-01-02；2.50；b\n', 3],
  ['&', 'name&betrag\na&1,5\nb&2,5\n', 2],
])('the delimiter %s is found', async (delimiter, content, columns) => {
  const { detected } = await readFile(content);
  expect([detected.delimiter, detected.headers?.length]).toEqual([delimiter, columns]);
});

const read = async (content: string) => {
  const { detected, rows, warnings } = await readFile(content);
  return { header: detected.headerLine, rows: rows.length, warnings: warnings.map(({ code }) => code) };
};

test.each<[string, string]>([
  ['numbers that count on', 'INV-1;Acme\nINV-2;Beta\nINV-3;Gamma\n'],
  ['two rows', 'INV-1;Acme\nINV-2;Beta\n'],
  ['codes', 'PAY-2026-001;DE02;open\nPAY-2026-002;DE03;paid\nPAY-2026-003;DE04;open\n'],
  ['hexadecimal codes', '550e8400-e29b-41d4;Acme\n6ba7b810-9dad-11d1;Beta\n'],
  ['accounts', 'DE02120300000000202051;Hans\nFR7630006000011234567890189;Eva\nDE02500105170137075030;Max\n'],
  ['a word that stands below again', 'Miete;monatlich;Büro\nStrom;45,00;Büro\nWasser;12,00;Lager\n'],
  ['words that stand below again', 'Alpha;paid\nAcme;open\nBeta;paid\nGamma;open\nDelta;paid\n'],
  ['a cell without value', 'Acme;n/a;first\nBeta;12,50;second\nGamma;13,50;third\n'],
  ['booleans', 'A;true\nB;false\nC;true\n'],
  ['mail addresses', 'a@b.de;Hans\nc@d.de;Eva\n'],
  ['an amount, above a word', 'Rent,January,500.00\nPower,January,free\nWater,February,12.00\n'],
])('a first row that is written like those below it is a row: %s', async (_what, content) => {
  const { header, rows, warnings } = await read(content);
  expect([header, rows]).toEqual([null, content.trim().split('\n').length]);
  expect(warnings).toContain('no_header');
});

test.each<[string, string, boolean]>([
  ['words above words', 'Hans;Berlin\nEva;Köln\nMax;Paris\n', false],
  ['addresses', 'Main St 5;Berlin\nWeg 7;Köln\nAllee 12a;Paris\n', false],
  ['unusual names', 'Artikel;Ort\nSchraube;Halle\nMutter;Hof\n', false],
  ['usual names', 'Name;City\nAcme;Berlin\nBeta;Paris\n', true],
  ['small letters above others', 'vorname;ort\nHans;Berlin\nEva;Köln\n', true],
  ['capitals above others', 'VORNAME;ORT\nHans;Berlin\nEva;Köln\n', true],
  ['no word of a vocabulary', 'Kunde;Zustand\nAcme;open\nBeta;paid\nGamma;open\nDelta;paid\n', true],
  ['names above accounts', 'IBAN;Inhaber\nFR7630006000011234567890189;Eva\nDE02500105170137075030;Max\n', true],
])(
  'a header of texts that nothing proves is doubted, with the option that settles it: %s',
  async (_what, content, isSure) => {
    const { detected, warnings } = await readFile(content);
    expect(detected.headerLine).toBe(1);
    const [doubt] = warnings.filter(({ code }) => code === 'reading_uncertain');
    expect(doubt === undefined).toBe(isSure);
    if (!isSure) expect(doubt?.remedies).toContainEqual({ option: 'header', value: 'false' });
  },
);

test.each<[string, string, number]>([
  ['three rows', 'Name;Price;Note\nPlan A;free;first\nPlan B;on request;second\nPlan C;99,50;third\n', 3],
  ['five rows', 'Name;Price;Note\nA;free;x\nB;on request;y\nC;tbd;z\nD;10,00;x\nE;11,00;x\n', 5],
  ['names with digits', 'Name;Price;Note\nPlan 1;free;first\nPlan 2;on request;second\nPlan 3;99,50;third\n', 3],
  ['whole numbers', 'Item;Stock;Place\nScrew;none;A\nNut;few;B\nBolt;12;C\n', 3],
  ['dates', 'Task;Due;Owner\nA;open;x\nB;asap;y\nC;01.02.2026;z\n', 3],
  [
    'two columns of values',
    'Name;Date;Amount\nAcme;tbd;tbd\nBeta;tbd;open\nC;01.02.2026;12,50\nD;02.02.2026;13,50\n',
    4,
  ],
])('rows of words above the first value stay rows: %s', async (_what, content, rows) => {
  expect(await read(content)).toMatchObject({ header: 1, rows });
});

test.each<[string, string, number]>([
  ['pairs', 'Owner;Hans Meier\nBranch;Berlin\nDate;Amount\n01.02.2026;1,50\n02.02.2026;2,50\n', 3],
  [
    'pairs above unusual names',
    'Omistaja;Hans Meier\nKonttori;Oulu\nPäivä;Määrä\n01.02.2026;1,50\n02.02.2026;2,50\n',
    3,
  ],
  ['full rows', 'Report;of;March\nMy;bank;branch\nDate;Text;Amount\n01.02.2026;a;1,50\n', 3],
])('titles of words above a header are none: %s', async (_what, content, header) => {
  expect((await read(content)).header).toBe(header);
});

test('a row of values below names is none of units', async () => {
  expect((await readFile('name;age\nBob;25,60\nEva;31,72\n')).detected.headers).toEqual(['name', 'age']);
});
