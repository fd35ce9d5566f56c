const pattern = (words: string, behind = '(?=[^a-z]|$)'): RegExp =>
  new RegExp(`(?:^|[^a-z])(?:${words.replace(/\s+/g, '|').replaceAll('~', ' ')})${behind}`);

/** Words of names that say how much, so that the column is computed with, whatever else its name says. */
const quantity = pattern(
  `amounts? betrag betr[äa]ge summe sum valor(?:es)? importe montant totals? gesamt balance saldo solde prices?
  pricing preis precio pre[cç]o prix costs? kosten custo coste qty quantity quantidade cantidad quantit[ée] menge
  anzahl counts? value wert number~of n[or]\\.?~of`,
);
/** Words that say how much, unless another word of the name says which one: `tax`, but `tax number`. */
const weakQuantity = pattern(
  `fees? geb[üu]hr tarifa taxa rate kurs percent(?:age)? prozent units? st[üu]ck debit credit d[ée]bito cr[ée]dito
  soll haben payments? zahlung pagamento pago tax vat mwst ust iva tva gross net netto brutto days? tage weight
  gewicht size score hours? stunden discount rabatt paid due open remaining installments? parcelas? year jahr ano
  a[ñn]o ann[ée]e`,
);
/** Words of names that say which one. */
const identifier = pattern(
  `ids? nos? nrs? num numbers? n[úu]meros? num[ée]ro nummern? codes? c[óo]digo kod refs? references? refer[êe]ncia
  referencia r[ée]f r[ée]f[ée]rence referenz account konto conta cuenta compte iban bic blz sort~?code invoice rechnung
  fatura factura facture beleg documents? documento doc dokument order auftrag bestellung pedido commande customer
  kunde debitor kreditor cliente? supplier lieferant fornecedor vendor acct zip plz postal postleitzahl cep phone tel
  telefone? mobile fax sku ean gtin isbn cheque check scheck card karte cart[ãa]o tarjeta transaction txn trx key uuid
  guid cnpj cpf nif cif nit rut siren siret ssn serial serie batch lote mandate? mandat token hash barcode period
  periode per[ií]odo numer číslo cislo účet účtu rachunek rachunku konta számlaszám
  docto nsu po arn utr aut[hó] terminal voucher ticket job ledger gl nominal artikel artigo art[ií]culo article
  faktura ordre bilag verifikat kostenstelle kostentr[äa]ger cost~cent(?:er|re) centro~de~custo matr[ií]cula matricule
  protocolo ag[êe]ncia boleto mcc routing aba transit ifsc micr bsb clabe swift gstin pan tin ein abn acn uen rfc curp
  cuit cuil ruc rnc cui oib vkn tckn pesel regon krs i[čc]o di[čc] cvr kvk bsn eik egn edrpou lei duns
  инн кпп бик огрн снилс номер сч[её]та? код документ документа договор лицевой артикул єдрпоу`,
);
/** Signs for numbers and codes in names of East Asian languages. */
const identifierSign = /[#№号號]|番|コード|번호|코드|編碼|编码/;
/** Endings of joined words: `Rechnungsnummer`, `Kontonr`, `invoiceid`. */
const identifierEnding = /(?:nummer|nr|kennung|kennzeichen|schl[üu]ssel|zeichen|_?id|code|konto)$/;
const quantityEnding = /(?:betrag|summe|saldo|preis|menge|anzahl|wert|kosten|satz|quote)$/;

/** Returns whether the name of a column says that its values identify something. */
export function isIdentifierName(name: string): boolean {
  const plain = wordsOf(name);
  if (quantity.test(plain) || quantityEnding.test(plain)) return false;
  return identifier.test(plain) || identifierEnding.test(plain) || identifierSign.test(name);
}

const dayName = pattern(
  `data fecha days? tag dt dia jour time zeit posted placed due periode? per[ií]odo f[äa]llig vencim[ei]+nto valuta
  am on`,
);
const dayEnding = /(?<!man)dat(?:e|um)(?![a-z]*nr)|tag$/;
const codeText = /^(?:\d{2}([-./ ])\d{2}\1\d{2}|\d{6,14})$/;

/** Returns whether digits in a column are part of an identifier, as `20-11-12` in that of sort codes, and no day. */
export function isCode(name: string, text: string): boolean {
  return (
    codeText.test(text) && isIdentifierName(name) && !dayName.test(wordsOf(name)) && !dayEnding.test(wordsOf(name))
  );
}

/** Returns whether all values are numbers of phones: `+4917012345678`. Amounts of this size are not all positive. */
export function arePhones(name: string, all: readonly unknown[]): boolean {
  if (quantity.test(wordsOf(name)) || quantityEnding.test(wordsOf(name))) return false;
  return all.every(
    (value) =>
      typeof value === 'string' && /^\+[\d -]{8,20}$/.test(value.trim()) && value.replace(/\D/g, '').length > 7,
  );
}

/** Splits words that capitals join: `invoiceNumber`. */
function wordsOf(name: string): string {
  return name
    .slice(0, 200)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .trim();
}

const minIdentifiers = 3;
const minDigits = 6;
/** One number of this length in each row is that of an account. */
const accountDigits = 8;

/**
 * Returns whether whole numbers are identifiers by their look: long, of the same length, and all of them different, or
 * all the same. A column whose name says how much is none.
 */
export function looksLikeIdentifiers(name: string, all: readonly unknown[]): boolean {
  const plain = wordsOf(name);
  if (quantity.test(plain) || weakQuantity.test(plain) || quantityEnding.test(plain)) return false;
  const texts = all.map((value) => String(value).trim());
  const [first = ''] = texts;
  if (texts.length < minIdentifiers || first.length < minDigits) return false;
  const isAlike = texts.every((text) => text.length === first.length && /^\d+$/.test(text));
  const values = new Set(texts).size;
  return isAlike && (values === texts.length || (values === 1 && first.length >= accountDigits));
}
