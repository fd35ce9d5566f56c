import { meaningOf, type NameMeaning } from './names';
import { readFile } from '../../testing/files';

const meanings: Record<NameMeaning, string> = {
  identifier: `
    Rechnungsnr. | Kundennr. | Bestellnr. | Rechnungsnummer | Rechnung | Fattura | Numero fattura |
    N. Fattura | N° | Nº
    Nº factura | N° de facture | Nota Fiscal | Factuurnummer | Cost center | Cost centre | Centro de custo | Chq
    Cheque No | VS | KS | SS | Var. symbol číslo | Viitenumero | Viitenumber | Laskun numero | OCR | NIP | Č. faktury
    Číslo faktúry | Nr faktury | Numer rachunku | Αρ. Τιμολογίου | Αριθμός | Poziv na broj | Broj računa | Br. računa
    Št. računa | Számlaszám | Bizonylatszám | Fatura No | Müşteri kodu | Номер счета | Счёт | № договора | 請求書番号
    口座番号 | 발주번호 | 单号 | מספר חשבון | رقم الفاتورة | invoiceid | orderno | customer_id | InvoiceNumber
    Amount reference | Price list code | Tax ID | VAT number | Payment ref | Steuernummer | Invoice # | #
    Account | Kostenstelle | Referenz Zahlung | Credit no | Kontonr | Sort code | Protiúčet | Cost Ctr |
    Позив на број | Рачун | Референция | Referință | Arhiveerimistunnus | БСН | 伝票No |
    Variabilní symbol | Mandatsref. | Lieferschein | Folio | Pièce | Dept | Κωδικός | Mandate | PO |
    Transaction ID | Key`,
  money: `
    Amount | Invoice amount | Rechnungsbetrag | Montant facture | Montant de la facture | Fee | Card fee | Account fee
    Rechnungsgebühr | Invoice total | Valor da fatura | Importe factura | Account balance | Kontostand | Kontoumsatz
    Reference amount | Ticket price | Credit | Debit | Soll | Haben | Invoice net | Open invoice |
    Invoice paid | Paid | Ut fra konto | Inn på konto |
    Сумма счета | Сумма по счету | Остаток на счете | Částka | Kwota faktury | Összeg | Számla összege | Egyenleg
    Fatura tutarı | Ποσό τιμολογίου | 請求金額 | 청구 금액 | 发票金额 | סכום | Iznos računa | Betrag Rechnung
    Account No Balance | Betrag EUR | Belopp | Beløb | Bedrag | Importo fattura | Amount (JPY) | Gutschrift |
    Credit limit`,
  quantity: `
    Quantity | Qté | Qty | Menge | Stückzahl | Anzahl | Anzahl Rechnungen | Number of invoices | No. of items | Days
    Nº de parcelas | Num items | Ilość | Количество | 数量 | Units | Rate | Hours | Darabszám | Year | Monat | Value`,
  unknown: 'Text | x2 | Belegdatum | Value date | Datum Rechnung',
  open: 'Credit card | Tax invoice | Debit account | Konto Kurs',
};

test.each(
  Object.entries(meanings).flatMap(([meaning, names]) =>
    names.split(/[|\n]/).flatMap((name) => (name.trim() === '' ? [] : [[name.trim(), meaning]])),
  ),
)('the numbers of a column %s are: %s', (name, meaning) => {
  expect(meaningOf(name)).toBe(meaning);
});

const typesOf = async (name: string, values: readonly (string | number)[]) => {
  const csv = await readFile(`x;${name}\n${values.map((value, row) => `a${row % 2};${value}\n`).join('')}`);
  const json = await readFile(JSON.stringify(values.map((value) => ({ x: 'a', [name]: Number(value) }))));
  return [csv, json].map(({ detected, warnings }) => [detected.types?.[name], ...warnings.map(({ code }) => code)]);
};

test.each<[string, (string | number)[], string, string[]]>([
  ['Invoice amount', [120000, 340000, 560000], 'amount', []],
  ['Fee', [500, 500, 300], 'amount', []],
  ['Card fee', [123, 456, 789], 'amount', []],
  ['Qty', [1001, 1002, 1003], 'number', []],
  ['Rechnungsnr.', [7, 8, 120], 'string', []],
  ['Credit card', [4400, 5500, 8400], 'string', ['numbers_as_text']],
  ['Credit card', [400, 5500, 80], 'number', []],
  ['x2', [1001, 1002, 1005], 'string', ['numbers_as_text']],
  ['x2', [1001, 1002], 'string', ['numbers_as_text']],
  ['x2', [123456789012, 987654321098], 'string', ['numbers_as_text']],
  ['x2', [1200, 1950], 'number', []],
  ['x2', [9001, 9002, 9003, 9010], 'string', ['numbers_as_text']],
  ['x2', [88123401, 77123402, 66123409], 'string', ['numbers_as_text']],
  ['x2', [1200, 4350, 2799], 'number', []],
  ['x2', [120000, 340000, 560500], 'number', []],
  ['x2', [1, 2, 3], 'number', []],
])('whole numbers of a column %s, %j, are of type %s, and doubt is told: %j', async (name, values, type, codes) => {
  expect(await typesOf(name, values)).toEqual([
    [type, ...codes],
    [type, ...codes],
  ]);
});

test('whole numbers that are money in JSON are amounts unless they have more decimals', async () => {
  const typeOf = async (...values: number[]) =>
    (await readFile(JSON.stringify(values.map((amount) => ({ amount }))))).detected.types?.amount;
  expect([await typeOf(12.5, 7), await typeOf(1.23456, 7)]).toEqual(['amount', 'number']);
});

test.each<[string, string[], string, string[]]>([
  ['Số chứng từ', ['FT26005001', 'FT26016001'], 'string', ['numbers_as_text']],
  ['x2', ['RM100234', 'RM100235'], 'string', ['numbers_as_text']],
  ['Voucher', ['KR1', 'KR22'], 'string', []],
  ['Invoice', ['EUR1001', 'EUR1002'], 'string', []],
  ['Amount', ['Rp150000', 'Rp250000'], 'amount', []],
  ['x2', ['USD100', 'USD2500'], 'amount', []],
  ['x2', ['Rp 150000', 'Rp 250000'], 'amount', []],
])(
  'letters of a currency before digits may be those of a code: %s %j is of type %s',
  async (name, values, type, codes) => {
    const { detected, warnings } = await readFile(`a;${name}\n${values.map((value) => `x;${value}\n`).join('')}`);
    expect([detected.types?.[name], warnings.map(({ code }) => code)]).toEqual([type, codes]);
  },
);
