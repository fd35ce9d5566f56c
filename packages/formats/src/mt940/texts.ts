/** Values of a transaction that its text field (`:86:`) holds. */
export interface Information {
  transaction_code: string | null;
  posting_text: string | null;
  prima_nota: string | null;
  /** The payer's own reference, where the statement line points to the text. */
  customer_reference: string | null;
  end_to_end_id: string | null;
  mandate_id: string | null;
  creditor_id: string | null;
  originator_id: string | null;
  counterparty_name: string | null;
  counterparty_account: string | null;
  counterparty_bic: string | null;
  ultimate_counterparty_name: string | null;
  remittance_information: string | null;
  creditor_reference: string | null;
  purpose_code: string | null;
  return_reason: string | null;
  /** Amounts as written, with the currency before or after them. */
  original_amount: string | null;
  charges: string | null;
  additional_information: string | null;
}

export type PartOfInformation = Partial<Information>;

/** Characters of a full line; a word may go on in the next one. */
const lineChars = 65;

/** Joins lines: a full line goes on without a space, and so does one before a mark of structured text. */
export function joinLines(lines: readonly string[], fullChars = lineChars): string {
  let text = '';
  let last = fullChars;
  for (const line of lines) {
    const goesOn = text === '' || last >= fullChars || /\s$/.test(text) || /^[/?]/.test(line);
    text += goesOn ? line : ` ${line}`;
    last = line.length;
  }
  return text;
}

/** Returns text with single spaces; null for none. */
export function plainText(text: string | undefined): string | null {
  const plain = (text ?? '').replace(/\s+/g, ' ').trim();
  return plain === '' ? null : plain;
}

/** Returns a reference, unless the bank says that there is none. */
export function provided(text: string | null | undefined): string | null {
  const plain = plainText(text ?? undefined);
  return plain === null || /^(?:NOT ?PROVIDED|NONREF)$/i.test(plain) ? null : plain;
}

export function isIban(text: string | null | undefined): text is string {
  return /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text ?? '');
}
