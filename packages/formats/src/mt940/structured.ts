import { joinLines, plainText, provided, type PartOfInformation } from './texts';

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

/** Reads text in subfields; null where it has none. */
export function structuredValues(text: string): PartOfInformation | null {
  const match = isStructured(text) ? beginning.exec(text) : null;
  if (match === null) return null;
  const mark = match[2] as string;
  const cut = new RegExp(`\\s?\\${mark}${subfields}`);
  const parts = text.slice(match[0].length - mark.length).split(cut);
  const fields = new Map<string, string[]>();
  for (let i = 1; i + 1 < parts.length; i += 2) {
    const values = fields.get(parts[i] as string) ?? [];
    fields.set(parts[i] as string, values);
    values.push(parts[i + 1] as string);
  }
  if (![...fields.keys()].some((field) => /^(?:00|1|2|3)/.test(field))) return null;
  return { transaction_code: match[1] ?? null, ...valuesOf(fields) };
}

function valuesOf(fields: ReadonlyMap<string, readonly string[]>): PartOfInformation {
  const one = (field: string): string | null => plainText(fields.get(field)?.join(' '));
  const texts = [...range(20, 29), ...range(60, 63)].flatMap((field) => fields.get(field) ?? []);
  const named = namedValues(joinLines(texts, subfieldChars));
  return {
    posting_text: one('00'),
    prima_nota: one('10'),
    counterparty_bic: one('30') ?? named.get('BIC') ?? null,
    counterparty_account: (one('38') ?? one('31') ?? named.get('IBAN') ?? null)?.replace(/^\/+/, '') ?? null,
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

function range(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
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
