import { readDecimal } from '../statement/values';
import { isSlashed, slashValues } from './slashes';
import { isStructured, structuredLineChars, structuredValues } from './structured';
import { isIban, joinLines, plainText, provided, type Information, type PartOfInformation } from './texts';

const empty: Information = {
  transaction_code: null,
  posting_text: null,
  prima_nota: null,
  customer_reference: null,
  end_to_end_id: null,
  mandate_id: null,
  creditor_id: null,
  originator_id: null,
  counterparty_name: null,
  counterparty_account: null,
  counterparty_bic: null,
  ultimate_counterparty_name: null,
  remittance_information: null,
  creditor_reference: null,
  purpose_code: null,
  return_reason: null,
  original_amount: null,
  charges: null,
  additional_information: null,
};

/** Reads the text of a transaction in the way in which the bank structures it. */
export function readInformation(lines: readonly string[], supplementary: string | null): Information {
  const text =
    isStructured(lines[0] ?? '') || isSlashed(lines[0] ?? '')
      ? joinLines(lines, structuredLineChars)
      : joinLines(lines);
  const values = structuredValues(text) ?? slashValues(text) ?? labelledValues(text);
  const ofSupplementary = slashValues(supplementary ?? '') ?? {};
  const account = plainText(supplementary ?? '');
  return {
    ...empty,
    ...(isIban(account) ? { counterparty_account: account } : {}),
    ...ofSupplementary,
    ...withoutNull(values),
    additional_information: plainText(text),
  };
}

function withoutNull(values: PartOfInformation): PartOfInformation {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

const labels = /\b(IBAN|BIC|REK|NAAM|NAME|OMSCHRIJVING|KENMERK|MACHTIGING|INCASSANT)\s?:\s?/g;

/** Reads free text, in which some banks label values (`IBAN: NL… NAAM: …`). */
function labelledValues(text: string): PartOfInformation {
  const remittance = plainText(text);
  const parts = text.split(labels);
  const found = new Map<string, string>();
  for (let i = 1; i + 1 < parts.length; i += 2) {
    const value = plainText((parts[i + 1] as string).replace(/\/\s*$/, ''));
    if (value !== null && !found.has(parts[i] as string)) found.set(parts[i] as string, value);
  }
  const account = (found.get('IBAN') ?? found.get('REK'))?.replace(/\s/g, '');
  if (!isIban(account)) return { remittance_information: remittance };
  return {
    counterparty_account: account,
    counterparty_bic: found.get('BIC') ?? null,
    counterparty_name: found.get('NAAM') ?? found.get('NAME') ?? null,
    mandate_id: found.get('MACHTIGING') ?? null,
    creditor_id: found.get('INCASSANT') ?? null,
    end_to_end_id: provided(found.get('KENMERK')),
    remittance_information: found.get('OMSCHRIJVING') ?? remittance,
  };
}

/** Values of a statement line that the text may complete. */
interface LineReferences {
  customer_reference: string | null;
  supplementary_details: string | null;
}

/** Banks write these in place of a reference that is in the text. */
const pointer = /^(?:EREF|KREF|MREF|MARF|PREF)\+?$/i;

/** Returns the columns that the text of a transaction fills. */
export function informationValues(
  lines: readonly string[],
  { customer_reference, supplementary_details }: LineReferences,
): Record<string, string | number | null> {
  const { original_amount, charges, ...values } = readInformation(lines, supplementary_details);
  const [original, cost] = [moneyIn(original_amount), moneyIn(charges)];
  const isPointer = customer_reference === null || pointer.test(customer_reference);
  const account = isIban(customer_reference) ? customer_reference : null;
  return {
    ...values,
    counterparty_account: values.counterparty_account ?? account,
    counterparty_name: values.counterparty_name ?? (account === null ? null : supplementary_details),
    customer_reference: isPointer ? values.customer_reference : customer_reference,
    original_amount: original?.amount ?? null,
    original_currency: original?.currency ?? null,
    charges: cost?.amount ?? null,
    charges_currency: cost?.currency ?? null,
  };
}

/** Reads an amount with its currency (`USD100,00`, `100,00 USD`). */
function moneyIn(text: string | null): { amount: number | string; currency: string | null } | null {
  const match = /^\/*([A-Z]{3})?\s?([\d.,]+)\s?([A-Z]{3})?/.exec(text ?? '');
  const amount = match === null ? null : readDecimal(match[2] as string);
  return amount === null ? null : { amount, currency: match?.[1] ?? match?.[3] ?? null };
}
