import { isIban, joinLines, plainText, provided, type PartOfInformation } from './texts';

/**
 * Text in numbered subfields: `166?00GUTSCHRIFT?20EREF+…?32NAME`. Banks use other marks than `?` too. The three digits
 * before them are the code of the transaction.
 */
const beginning = /^\s*(\d{3})?\s?([^\w\s/])(?=\d{2})/;
/** Only these numbers are subfields: a text may hold `?15`. */
const subfields = '(0[0-9]|1[0-9]|2[0-9]|3[0-9]|6[0-9]|7[0-9])';
const subfieldChars = 27;

/** The names of values inside the text of a payment: `EREF+…SVWZ+…`. */
const names =
  'EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP|RTRN|CHGS|OCMT|TAN\\d?|ANAM|SQTP|BREF|RREF';
const namedValue = new RegExp(`(${names})\\+`, 'g');

/** Without a code before it, only these marks begin a subfield. */
const clearMark = /^\s*[?~<>^]/;
/** Characters of a full line, which may begin with the tag. */
export const structuredLineChars = 60;

export function isStructured(text: string): boolean {
  return beginning.test(text) && (clearMark.test(text) || /^\s*\d/.test(text));
}

const cuts = new Map<string, RegExp>();

/** Returns the pattern that separates subfields; cached, since few marks exist. */
function cutAt(mark: string): RegExp {
  let cut = cuts.get(mark);
  if (cut === undefined) {
    cut = new RegExp(`\\s?\\${mark}${subfields}`);
    cuts.set(mark, cut);
  }
  return cut;
}

/** Reads text in subfields; null where it has none. */
export function structuredValues(text: string): PartOfInformation | null {
  const match = isStructured(text) ? beginning.exec(text) : null;
  if (match === null) return null;
  const mark = match[2] as string;
  const parts = text.slice(match[0].length - mark.length).split(cutAt(mark));
  const fields = new Map<string, string[]>();
  for (let i = 1; i + 1 < parts.length; i += 2) {
    const values = fields.get(parts[i] as string) ?? [];
    fields.set(parts[i] as string, values);
    values.push(parts[i + 1] as string);
  }
  if (![...fields.keys()].some((field) => /^(?:00|1|2|3)/.test(field))) return null;
  return { transaction_code: match[1] ?? null, ...valuesOf(fields) };
}

/** The subfields of the text, in their order. */
const textFields = [20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 60, 61, 62, 63].map(String);

function valuesOf(fields: ReadonlyMap<string, readonly string[]>): PartOfInformation {
  const one = (field: string): string | null => plainText(fields.get(field)?.join(' '));
  const texts = textFields.flatMap((field) => fields.get(field) ?? []);
  const named = namedValues(isNamed(texts) ? joinNamed(texts) : joinLines(texts, subfieldChars));
  const bank = one('30');
  return {
    posting_text: one('00'),
    prima_nota: one('10'),
    counterparty_bic: (isIban(bank) ? null : bank) ?? named.get('BIC') ?? null,
    counterparty_account:
      (one('38') ?? one('31') ?? named.get('IBAN'))?.replace(/^\/+/, '') ?? (isIban(bank) ? bank : null),
    counterparty_name:
      plainText(joinLines([...(fields.get('32') ?? []), ...(fields.get('33') ?? [])], subfieldChars)) ??
      named.get('ANAM') ??
      null,
    end_to_end_id: provided(named.get('EREF')),
    customer_reference: provided(named.get('KREF')),
    mandate_id: provided(named.get('MREF')),
    creditor_id: named.get('CRED') ?? null,
    originator_id: named.get('DEBT') ?? null,
    ultimate_counterparty_name: named.get('ABWA') ?? named.get('ABWE') ?? null,
    purpose_code: named.get('PURP') ?? null,
    return_reason: named.get('RTRN') ?? null,
    original_amount: named.get('OAMT') ?? named.get('OCMT') ?? null,
    charges: named.get('COAM') ?? named.get('CHGS') ?? null,
    remittance_information: named.get('SVWZ') ?? named.get('') ?? null,
  };
}

const isNamed = (texts: readonly string[]): boolean => texts.join('').search(namedValue) >= 0;

/** Characters of a subfield that has lost a space at its end. */
const trimmedChars = [subfieldChars - 2, subfieldChars - 1];

/** Joins a text that is cut into subfields wherever they are full, within words too. */
function joinNamed(texts: readonly string[]): string {
  return texts.map((text) => (trimmedChars.includes(text.length) ? `${text} ` : text)).join('');
}

/** Returns the values of a text by name; the text before the first one has the name ''. */
function namedValues(text: string): Map<string, string> {
  const parts = text.split(namedValue);
  const values = new Map<string, string>();
  const add = (name: string, value: string | undefined): void => {
    const plain = plainText(value);
    if (plain !== null && !values.has(name)) values.set(name, plain);
  };
  add('', parts[0]);
  for (let i = 1; i + 1 < parts.length; i += 2) add(parts[i] as string, parts[i + 1]);
  return values;
}
