import { textAt, type Element } from './element';

interface Party {
  name: string | null;
  ultimateName: string | null;
  account: string | null;
  bic: string | null;
  id: string | null;
}

function partyOf(detail: Element | undefined, role: 'Dbtr' | 'Cdtr'): Party {
  const party = `RltdPties/${role}`;
  const agent = `RltdAgts/${role}Agt/FinInstnId`;
  const ultimate = `RltdPties/Ultmt${role}`;
  return {
    name: textAt(detail, `${party}/Nm`, `${party}/Pty/Nm`, `${party}/Agt/FinInstnId/Nm`),
    ultimateName: textAt(detail, `${ultimate}/Nm`, `${ultimate}/Pty/Nm`),
    account: textAt(
      detail,
      `${party}Acct/Id/IBAN`,
      `${party}Acct/Id/Othr/Id`,
      `${party}Acct/Id/PrtryAcct/Id`,
      `${party}Acct/Prxy/Id`,
    ),
    bic: textAt(detail, `${agent}/BICFI`, `${agent}/BIC`),
    id: ['PrvtId', 'OrgId']
      .map((kind) => textAt(detail, `${party}/Id/${kind}/Othr/Id`, `${party}/Pty/Id/${kind}/Othr/Id`))
      .reduce((first, id) => first ?? id),
  };
}

const isKnown = ({ name, ultimateName, account }: Party): boolean =>
  name !== null || ultimateName !== null || account !== null;

/** The account whose statement it is. */
export interface AccountHolder {
  account: string | null;
  name: string | null;
}

const plain = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
const minAccountDigits = 6;

/** Returns whether a party is the account holder: by the account, or by the name where the party has no account. */
function isHolder({ account, name }: Party, holder: AccountHolder): boolean {
  if (account !== null && holder.account !== null) {
    const [one, other] = [plain(account), plain(holder.account)];
    // A national account number is the end of its IBAN.
    return one === other || (Math.min(one.length, other.length) >= minAccountDigits && isEnd(one, other));
  }
  return name !== null && holder.name !== null && plain(name) === plain(holder.name);
}

const isEnd = (one: string, other: string): boolean => one.endsWith(other) || other.endsWith(one);

/**
 * Returns the other party. It pays incoming money and receives outgoing money. A returned payment names the parties of
 * the original one, so a party that is the account holder is not the counterparty.
 */
export function counterparty(
  detail: Element | undefined,
  holder: AccountHolder,
  { isIncoming, isReturned }: { isIncoming: boolean; isReturned: boolean },
): Record<string, string | null> {
  const [payer, payee] = [partyOf(detail, 'Dbtr'), partyOf(detail, 'Cdtr')];
  const [expected, second] = isIncoming !== isReturned ? [payer, payee] : [payee, payer];
  const isSecond =
    (isHolder(expected, holder) || !isKnown(expected)) &&
    isKnown(second) &&
    !isHolder(second, holder) &&
    (isReturned || isHolder(expected, holder) || (second.account !== null && holder.account !== null));
  const party = isSecond ? second : expected;
  return {
    counterparty_name: party.name ?? party.ultimateName,
    counterparty_account: party.account,
    counterparty_bic: party.bic,
    ultimate_counterparty_name: party.ultimateName,
    creditor_id: payee.id,
  };
}
