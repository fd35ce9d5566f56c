/** Builds a camt.053 file of one statement. */
export const statement = (entries: string, version = '08'): string =>
  '<?xml version="1.0" encoding="UTF-8"?>\n<Document ' +
  `xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><GrpHdr><MsgId>m</MsgId>` +
  '</GrpHdr><Stmt><Id>S1</Id><Acct><Id><IBAN>DE1</IBAN></Id><Ccy>EUR</Ccy><Svcr><FinInstnId>' +
  '<BICFI>BANKDEFF</BICFI></FinInstnId></Svcr></Acct><Bal><Amt ' +
  `Ccy="EUR">99</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>${entries}</Stmt></BkToCstmrStmt></Document>`;
export const entry = (amount: string, direction: string, rest = ''): string =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>${rest}</Ntry>`;
export const details = (...all: string[]): string =>
  `<NtryDtls>${all.map((one) => `<TxDtls>${one}</TxDtls>`).join('')}</NtryDtls>`;

/** The account of `ofAccount`. */
export const iban = 'DE89370400440532013000';

/** Builds a statement of an account with an IBAN. */
export const ofAccount = (entries: string, version = '08'): string => statement(entries, version).replace('DE1', iban);

/** Builds the amount of a transaction and what follows it. */
export const part = (amount: string, rest = '', currency = 'EUR'): string =>
  `<Amt Ccy="${currency}">${amount}</Amt>${rest}`;
