import iconv from 'iconv-lite';
import { bytesSource, readFile, readFrom } from '../../testing/files';

const lines: Record<string, [string, string]> = {
  'windows-1250': ['Wpłata własna', 'Płatność kartą żółw'],
  'iso-8859-2': ['Wpłata własna', 'Płatność kartą żółw'],
  'windows-1251': ['Оплата по счету', 'Возврат средств'],
  'koi8-r': ['Оплата по счету', 'Возврат средств'],
  ibm866: ['Оплата по счету', 'Возврат средств'],
  'windows-1252': ['Prélèvement électricité', 'Müller – Straße'],
  'windows-1253': ['Πληρωμή λογαριασμού', 'Μεταφορά'],
  'windows-1254': ['Alışveriş ödemesi', 'Açıklama'],
  'windows-1257': ['Mokėjimas už paslaugas', 'Aprašymas šių metų'],
  'windows-874': ['โอนเงิน', 'รายการ'],
  ibm850: ['Müller Bäckerei', 'Straße'],
  macintosh: ['Müller Bäckerei', 'Straße'],
  shift_jis: ['振込 カブシキガイシャ', 'ＡＴＭ引出し'],
  'euc-jp': ['振込 カブシキガイシャ', 'ＡＴＭ引出し'],
  gbk: ['转账收入', '消费支出 超市'],
  big5: ['轉帳收入', '消費支出'],
  'euc-kr': ['계좌이체', '카드결제'],
};

test.each(Object.entries(lines))('the letters of a file in %s tell its encoding', async (encoding, texts) => {
  const content = iconv.encode(
    `date;text;amount\n${texts.map((text) => `2026-01-02;${text};1,50\n`).join('')}`,
    encoding,
  );
  for (const pieceBytes of [1, 65_536]) {
    const { detected, rows } = await readFile(content, {}, pieceBytes);
    expect(detected.encoding).toBe(encoding);
    expect(rows.map(({ data }) => data.text)).toEqual(texts);
  }
});

const rare: [string, string, string][] = [
  ['ibm857', 'Ödeme Şükrü Yılmaz', 'İğne Çağrı'],
  ['ibm737', 'Πληρωμή λογαριασμού', 'Γιώργος Παπαδόπουλος'],
  ['ibm869', 'Πληρωμή λογαριασμού', 'Γιώργος Παπαδόπουλος'],
  ['macgreek', 'Πληρωμή λογαριασμού', 'Γιώργος Παπαδόπουλος'],
  ['maccyrillic', 'Оплата по счету', 'Мария Сидорова'],
  ['maccyrillic', 'Превод България', 'Тодор Живков'],
  ['ibm855', 'Оплата по счету', 'Мария Сидорова'],
  ['koi8-u', 'Товариство Зірка', 'Євген Їжакевич'],
  ['ibm1125', 'Товариство Зірка', 'Євген Їжакевич'],
  ['mik', 'Превод България', 'Тодор Живков'],
  ['windows-1258', 'Nguyên Văn Đưc', 'chuyên khoan Trân'],
  ['ibm860', 'Descrição da transação', 'João Conceição'],
  ['ibm861', 'Færsla Þórður', 'Laun Guðrún'],
  ['ibm775', 'Mokėjimas Šarūnas', 'Įmonė pervedimas'],
  ['iso-8859-4', 'Mokėjimas Šarūnas', 'Įmonė pervedimas'],
  ['ibm862', 'שלום העברה', 'חשבון בנק'],
  ['iso-8859-6', 'تحويل مبلغ', 'حساب بنكي'],
  ['maccenteuro', 'Příkaz úhrady Dvořák', 'Žižkov řeka'],
  ['macturkish', 'Ödeme Şükrü Yılmaz', 'İğne Çağrı'],
];

test.each(rare)('a file in %s is read rightly, or the doubt is told: %s', async (encoding, ...texts) => {
  const content = iconv.encode(
    `date;text;amount\n${texts.map((text) => `2026-01-02;${text};1,50\n`).join('')}`,
    encoding,
  );
  const { rows, warnings } = await readFile(content);
  const isRight = rows.every(({ data }, index) => data.text === texts[index]);
  expect(isRight || warnings.some(({ code }) => code === 'encoding_guessed')).toBe(true);
});

test('letters that two encodings share leave a doubt, which is told', async () => {
  const { detected } = await readFile(iconv.encode('name;note\nPuò;1\nè;2\n', 'windows-1252'));
  expect(detected.encoding).toBe('windows-1252');
  expect(detected.warnings).toMatchObject([
    { code: 'encoding_guessed', message: expect.stringContaining('windows-1250') as string },
  ]);
});

test.each(['cp1251', 'Shift_JIS', 'GB2312', 'cp1125', 'utf-32le', 'mik', 'iso-8859-6'])(
  'every encoding of iconv-lite can be named: %s',
  async (encoding) => {
    const content = iconv.encode('a;b\n1;2\n', encoding);
    expect((await readFile(content, { encoding })).rows).toEqual([{ line: 2, data: { a: '1', b: '2' } }]);
  },
);

test('a file whose characters have several bytes is read again from any position', async () => {
  const content = iconv.encode(`a;b\n${'転送;1\n'.repeat(70_000)}`, 'shift_jis');
  const { detected, rows, positions } = await readFile(content, { encoding: 'shift_jis' });
  const from = positions[0];
  expect(from?.offset).toBeNull();
  const rest = await readFrom(bytesSource(content), detected, from ?? null);
  expect(rest.rows).toEqual(rows.filter(({ line }) => line >= (from?.line ?? 0)));
});

test.each(['Koło;1\nb;2\n', 'Dvořák;1\nb;2\n'])(
  'few letters of another encoding are told, with windows-1252 as the other: %j',
  async (rows) => {
    const { detected } = await readFile(iconv.encode(`text;amount\n${rows}`, 'windows-1250'));
    expect(detected).toMatchObject({
      encoding: 'windows-1250',
      warnings: [{ code: 'encoding_guessed', message: expect.stringContaining('could be windows-1252') as string }],
    });
  },
);

test.each([
  'a;£1.00\nb;£2.00\n',
  'Nº 1;1,00\nb;2,00\n',
  '1ª parcela;1,00\nb;2,00\n',
  'Preis €;1,00\nb;2,00\n',
  'Preis 5€;1,00\nb;2,00\n',
  'nach § 13b;1,00\nb;2,00\n',
  'Konto 5 ± 3;1,00\nb;2,00\n',
  '20 m² Lager;1,00\nb;2,00\n',
  '20 m³;1,00\nb;2,00\n',
  '5 µg;1,00\nb;2,00\n',
  '20 °C – £3;1,00\nb;2,00\n',
  'Nº pedido;1\nDescripción;2\n',
  '“Hello”;1\nb;2\n',
  '‘x’;1\nb;2\n',
  'Kauf „Heft“;1\nb;2\n',
  '5 – 7;1\nb;2\n',
  'it’s;1\nb;2\n',
  'wait…;1\nb;2\n',
  '• item;1\nb;2\n',
  'Foo™;1\nb;2\n',
  'André;1\nb;2\n',
  'Groß;1\nb;2\n',
])('few signs and letters are read as windows-1252, with a warning: %j', async (rows) => {
  const { detected, rows: read } = await readFile(iconv.encode(`text;amount\n${rows}`, 'windows-1252'));
  expect(detected.encoding).toBe('windows-1252');
  expect(read.map(({ data }) => Object.values(data).join(';')).join('\n')).toBe(rows.trim());
  expect(detected.warnings?.map(({ code }) => code)).toContain('encoding_guessed');
});

test.each([
  ['入金', 'shift_jis'],
  ['手数料', 'shift_jis'],
  ['株式会社山田商事', 'shift_jis'],
  ['ペイペイ', 'shift_jis'],
  ['手续费', 'gbk'],
  ['支付宝', 'gbk'],
  ['입금', 'euc-kr'],
  ['이체', 'euc-kr'],
])('one word of an Asian language, %s, tells its encoding, %s', async (word, encoding) => {
  const { detected } = await readFile(iconv.encode(`date,text,amount\n2026-01-02,${word},150\n`, encoding));
  expect(detected.encoding).toBe(encoding);
});

test.each([
  ['給与', 'euc-jp'],
  ['東京', 'shift_jis'],
  ['转账', 'gbk'],
  ['餘額', 'big5'],
  ['쿠팡', 'euc-kr'],
])('a word that several encodings have, %s in %s, is read with a warning', async (word, encoding) => {
  const { detected } = await readFile(iconv.encode(`date,text,amount\n2026-01-02,${word},150\n`, encoding));
  expect(detected.warnings?.map(({ code }) => code)).toContain('encoding_guessed');
});
