/**
 * The meaning of a column's name for its numbers: they identify, or say how much. `open`: both, as `Credit card`.
 */
export type NameMeaning = 'identifier' | 'money' | 'quantity' | 'open' | 'unknown';

type WordKind = 'which' | 'mark' | 'thing' | 'day' | 'money' | 'count' | 'state' | 'charge' | 'measure' | 'of';

/** Words without accents: whole ones, the beginnings (`rechnung*`) and the endings (`*nummer`) of others. */
const words = (list: string): RegExp =>
  new RegExp(`^(?:${list.trim().replace(/\s+/g, '|').replaceAll('*', '.*')})$`, 'u');

const kinds: readonly (readonly [WordKind, RegExp])[] = [
  // These say which one, whatever else the name says: `Cost center`.
  ['which', words('cent(?:er|re|ro) c?ctr group gruppe type typ class klasse category kategorie stelle kostenstelle*')],
  ['thing', words('mandate?s? *mandate? *ucet *szamla *tili *rekening *account *racun')],
  [
    'day',
    words('date dates data datum dato *datum *date fecha fech paiva *paiva дата ημερομηνια tarih* kuupaev kelte* kelt'),
  ],
  ['count', words('*darabszam *letszam *stuckzahl *anzahl')],
  [
    'mark',
    words(`
      no nos nr nrs num nums nbr nbrs nro number numbers numero* numeri numer numery numeru nummer* nomor nomer numur*
      numara* *nummer *nummern *nr *nro *numero *number *numara *numarasi cislo* cis *szam szam br broj* број* kodas
      tunnus *tunnus referin* референ* broj* stevilk* номер* нумер* αριθμ* αρ id ids uid uuid guid kod kodu kody kode*
      code* codigo* codice* cod koodi* *kode *koodi *code ref refs refno reference* referen[czt]* riferiment* viite*
      key keys schlussel* *schlussel kennung *kennung *kennzeichen *zeichen *ref symbol *symbol chave κωδικ* token
      hash barcode serial код* артикул* poziv*`),
  ],
  ['charge', words('*gebuhr *gebuhren *steuer *rabatt *provision *skonto *zinsen *avgift *gebyr *maksu *fee')],
  [
    'money',
    words(`
      amounts? amts? betrag* *betrag *betrage summe* *summe summa* *summa sum soma somme suma sumy valor(?:es)?
      import[eoi] montant* montant[ei] montos? total* gesamt* *gesamt balances? bal saldo* saldi *saldo solde *stand
      prices? pricing preis* *preis precios? precos? prix prezz[oi] cen[ay]? costs? kosten* *kosten custos? costes?
      costos? cout* wert* *wert belopp* *belopp belob* *belob belop* *belop bedrag* *bedrag kwot[ay] castk* ciastk*
      сум* итог* стоимост* цен[аы] остат* оборот* баланс* сальдо салдо износ sold ποσ[ο]* συνολ* υπολοιπ* αξια tutar*
      toplam* bakiye* fiyat* osszeg* *osszeg egyenleg* *egyenleg maara iznos* stanje znes* jumlah harga tien umsatz*
      *umsatz *umsatze turnover revenues? sales income expenses? spend erlos* ertrag* einnahme* ausgabe* receitas?
      despesas? ingresos? gastos? recettes? depenses? entrate uscite`),
  ],
  [
    'count',
    words(`
      qty qte value values quantity quantities quant* cantid* cant menge* *menge anzahl* counts? ilosc* mnozstv*
      kolicin* количеств* кол кількіст* adet miktar* antal* aantal* hoeveelheid kogus* daudzums kiekis ποσοτητ* pcs
      pieces stk stuck* units unidades uds items jours days tage dias giorni transactions parcelas? cuotas? pages
      lines rows shares lots nights pax`),
  ],
  [
    'thing',
    words(`
      invoice inv rechnung* *rechnung fakt[uú]r* factu* fatur* fattur* szamla* rachun* racun* lasku* arve* saskait*
      rekin* τιμολογ* παραστατικ* накладн* сч[её]т* рахун* рачун* фактур* beleg* bilag* verifik* document* dokument*
      doc docto документ* order ordre* ordine* orden auftrag* bestell* pedido* commande* objednav* zamowien* заказ*
      customer kunden* kunde klient* client clients? cliente* debitor* kreditor* creditor* debtor* supplier lieferant*
      leverandor* fornecedor* proveedor* fournisseur* fornitor* vendor dostawc* dodavatel* account acct konto* *konto
      conta cuenta* compte* conto rekening* hesap* ucet* uctu card karte cart[eao]o? tarjeta* kaart transaction
      transacao transaccion trx txn tx vorgang* vertrag* contract contrat* договор* mandate? cheque check chq scheck*
      assegno* batch lotes? voucher ticket job project* projekt* article* artikel* artigo* articulo* ledger gl nominal
      journal* phone telephone tel telefon* mobile fax period periode* periodo nota notafiscal terminal kostentrager*
      serie series lot matric* agencia boleto protocolo lieferschein* fatt piece folio boleta comprobante* remito
      poliza policy police employee tracking waybill awb slip upc dept department branch filiale dekont npwp nf nfe
      buchungskreis serial лицевой iban bic blz zip plz postal postleitzahl cep sku ean gtin isbn cnpj cpf nif cif nit
      rut siren siret ssn arn utr rrn mcc routing aba transit ifsc micr bsb clabe swift gstin pan tin ein abn acn uen
      rfc curp cuit cuil ruc rnc cui oib vkn tckn pesel regon krs ico dic cvr kvk bsn бсн еик eik egn edrpou lei duns
      nip vs ks ss ocr kid esr qrr nsu po aut auth autoriz* gln iln vin imei msisdn инн кпп бик огрн снилс єдрпоу αφμ
      hoadon faktur`),
  ],
  [
    'state',
    words(`
      ut inn uttak innskudd money net gross nett[oa]? neto bruto brutto paid unpaid due open offen* bezahlt remaining
      outstanding ht ttc hors excl incl exkl inkl liquido pagad[oa] pagat[oa] paye[es]* regle`),
  ],
  [
    'charge',
    words(`
      fees? gebuhr* frais commiss* komission* provision* comis* tarifas? taxas? tax taxes? steuer* vat mwst ust iva
      tva pvm moms afa ндс пдв dph pdv kdv btw gst debits? credits? deb cred soll haben dare avere debitos? creditos?
      debe haber wn ma payments? zahlung* pagos? pagament[oi]s? paiements? discounts? rabatt* descontos? remises?
      sconto skonto interests? zins* juros interets? tips? shipping freight payouts? lastschrift* gutschrift* spese
      budget limits? kreditlimit gehalt* lohn* salary salaries wages? fracht* porto charges? cashback refunds?
      chargebacks? withdrawals? deposits? einzahlung* auszahlung* приход расход деб[еи]т* кредит* комисс* налог*
      χρεωση πιστωση`),
  ],
  [
    'measure',
    words(`
      rates? kurs* percent* prozent* weight gewicht size score hours? stunden installments? years? jahr* ano anos
      annee* months? monat* mes meses mois age alter`),
  ],
  ['of', words('of von der des de du do da di del della dei d')],
];

const maxNameChars = 200;

/** Letters that no accent makes. */
const plainLetters: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  æ: 'a',
  ß: 'ss',
  ı: 'i',
  ς: 'σ',
};

/** Splits a name into words without accents, also where capitals join them: `invoiceNumber`. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, maxNameChars)
    .replace(/(?<!\p{L})(?:n[°º]|(?:č|št)\.)|#/giu, ' no ')
    .replace(/(\p{Ll}|\p{Lo}|\d)(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[łøđðæßıς]/g, (letter) => plainLetters[letter] ?? letter)
    .split(/\P{L}+/u)
    .filter((word) => word !== '');
}

/** Signs for numbers and codes, and for money, in names whose words are not set apart. */
const identifierSign = /[№号號]|番|コード|번호|코드|編碼|编码|מספר|אסמכתא|رقم|مرجع|เลขที่|หมายเลข|รหัส|क्रमांक|संख्या/;
const moneySign = /[額额円元价価]|金|残高|余额|금액|합계|잔액|단가|סכום|יתרה|مبلغ|رصيد|จำนวนเงิน|ยอด|राशि|रकम|[€$£¥₹]/;
const countSign = /数量|數量|個数|件数|수량|건수|כמות|كمية|จำนวน/;

/** A thing and an abbreviation in one word: `invoiceno`, `customerid`. */
const joined = /^(.{2,}?)_?(?:no|id|ids|num)$/u;

function kindOfWord(word: string): WordKind | null {
  const found = kinds.find(([, pattern]) => pattern.test(word))?.[0];
  if (found !== undefined) return found;
  const thing = joined.exec(word)?.[1];
  return thing !== undefined && kindOfWord(thing) === 'thing' ? 'mark' : null;
}

const known = new Map<string, NameMeaning>();
const maxKnown = 2_000;

/** Tells from the name of a column what its numbers are. */
export function meaningOf(name: string): NameMeaning {
  let meaning = known.get(name);
  if (meaning === undefined) {
    if (known.size >= maxKnown) known.clear();
    known.set(name, (meaning = judged(name)));
  }
  return meaning;
}

function judged(name: string): NameMeaning {
  const found = wordsOf(name).map(kindOfWord);
  const has = (kind: WordKind): boolean => found.includes(kind);
  if (has('day') && !has('mark')) return 'unknown';
  if (has('which')) return 'identifier';
  if (has('mark'))
    return countsThings(found) || numberOf.test(name) ? 'quantity' : (amountBeside(found) ?? 'identifier');
  if (has('count')) return 'quantity';
  if (has('money')) return 'money';
  if (identifierSign.test(name)) return 'identifier';
  if (moneySign.test(name)) return 'money';
  if (countSign.test(name)) return 'quantity';
  if (has('state')) return 'money';
  if (has('thing')) return has('charge') || has('measure') ? meaningOfBoth(found) : 'identifier';
  return has('charge') ? 'money' : has('measure') ? 'quantity' : 'unknown';
}

/** Returns whether the name of a column says that it holds days. */
export const namesDays = (name: string): boolean =>
  wordsOf(name).some((word) => kindOfWord(word) === 'day') || /日付|日期|날짜|일자/.test(name);

type Kinds = readonly (WordKind | null)[];

const numberOf = /(?:number|no|nr|num)\.? of /i;

/** Returns whether a number of things is meant: `Nº de parcelas`, `num items`. */
const countsThings = (found: Kinds): boolean =>
  found[0] === 'mark' && (found[1] === 'of' ? found[2] : found[1]) === 'count';

/** Beside a word for money the main word decides: the one before `of`, else the last. */
function amountBeside(found: Kinds): NameMeaning | null {
  if (!found.includes('money')) return null;
  const mark = found.lastIndexOf('mark');
  const money = found.lastIndexOf('money');
  return found.slice(1, -1).includes('of') === money < mark ? 'money' : null;
}

/** `Card fee` is money, `Tax invoice` and `Credit card` may be either. */
const meaningOfBoth = (found: Kinds): NameMeaning => (found.at(-1) === 'charge' ? 'money' : 'open');
