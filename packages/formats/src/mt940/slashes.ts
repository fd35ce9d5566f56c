import { plainText, provided, type PartOfInformation } from './texts';

/** Codes of text such as `/TRTP/SEPA OVERBOEKING/IBAN/NL…/REMI/Invoice 7`. Other text between slashes is no code. */
const codes = [
  ...['ADDR', 'BENM', 'BIC', 'BUSP', 'CHGS', 'CNTP', 'CREF', 'CSID', 'EREF', 'EXCH', 'IBAN', 'ID', 'INIT', 'IREF'],
  ...['ISDT', 'KREF', 'MARF', 'NAME', 'NRTX', 'OCMT', 'ORDP', 'PREF', 'PURP', 'REMI', 'RTRN', 'SVCL', 'TRTP', 'TYPE'],
  ...['UCRD', 'UDTR', 'ULTB', 'ULTC', 'ULTD', 'ACCW', 'BENI', 'ORDC', 'SDAT', 'TRCD'],
];
const beginning = new RegExp(`^\\s*/(?:${codes.join('|')})/`);
const cut = new RegExp(`/(${codes.join('|')})/`);

export const isSlashed = (text: string): boolean => beginning.test(text);

/** Reads text in which codes between slashes name the values; null where there are none. */
export function slashValues(text: string): PartOfInformation | null {
  if (!isSlashed(text)) return null;
  const parts = text.split(cut);
  const values = new Map<string, string>();
  for (let i = 1; i + 1 < parts.length; i += 2) {
    const value = withoutSlashes(parts[i + 1] as string);
    if (value !== null && !values.has(parts[i] as string)) values.set(parts[i] as string, value);
  }
  const one = (...names: string[]): string | null =>
    names.map((name) => values.get(name)).find((value) => value !== undefined) ?? null;
  const [account, bic, name] = counterpartyOf(values.get('CNTP'));
  return {
    posting_text: one('TRTP', 'TYPE'),
    transaction_code: one('TRCD'),
    counterparty_account: one('IBAN') ?? account,
    counterparty_bic: one('BIC') ?? bic,
    counterparty_name: one('NAME') ?? name ?? one('BENM', 'ORDP'),
    ultimate_counterparty_name: one('ULTC', 'ULTD', 'ULTB', 'UCRD', 'UDTR'),
    end_to_end_id: provided(one('EREF')),
    customer_reference: provided(one('KREF', 'PREF')),
    mandate_id: provided(one('MARF')),
    creditor_id: one('CSID'),
    purpose_code: one('PURP'),
    return_reason: one('RTRN'),
    original_amount: one('OCMT'),
    charges: one('CHGS'),
    ...remittanceOf(values.get('REMI'), one('CREF')),
  };
}

/** Removes slashes from both ends, in one pass: a value may be long. */
function withoutSlashes(text: string): string | null {
  const plain = plainText(text) ?? '';
  let [start, end] = [0, plain.length];
  while (plain[start] === '/') start++;
  while (end > start && (plain[end - 1] === '/' || plain[end - 1] === ' ')) end--;
  return plainText(plain.slice(start, end));
}

/** Reads account, BIC and name of `/CNTP/account/bic/name/city/`. */
function counterpartyOf(text = ''): [string | null, string | null, string | null] {
  const [account, bic, name] = text.split('/');
  return [plainText(account), plainText(bic), plainText(name)];
}

/** Reads `USTD//text` and `STRD/CUR/reference`, in which banks say how the text is structured. */
function remittanceOf(text: string | undefined, reference: string | null): PartOfInformation {
  const structured = /^STRD\/[^/]*\/(.*)$/.exec(text ?? '')?.[1];
  const plain = plainText((text ?? '').replace(/^(?:USTD\/\/?|STRD\/[^/]*\/)/, ''));
  return { remittance_information: plain, creditor_reference: plainText(structured) ?? reference };
}
