import type { StatementBalance, StatementSummary } from '../types';

interface Link {
  where: string;
  opening: string;
  closing: string;
}

const maxAccounts = 1_000;

/** Finds gaps between the statements of an account: each opens with the balance that the one before closes with. */
export class StatementChain {
  private readonly last = new Map<string, Link>();

  /** Tells of a statement between this one and the one before it; null where none is missing. */
  gapBefore({ id, account_id, currency, balances }: StatementSummary): string | null {
    const opening = textOf(balances.find(({ type }) => type === 'opening'));
    const closing = textOf(balances.findLast(({ type }) => type === 'closing'));
    if (opening === null || closing === null) return null;
    const account = `${account_id ?? ''} ${currency ?? ''}`;
    const before = this.last.get(account);
    if (before !== undefined || this.last.size < maxAccounts)
      this.last.set(account, { where: id ?? '', opening, closing });
    if (before === undefined) return null;
    const isRepeated = before.opening === opening && before.closing === closing;
    // Some banks put the newest statement first.
    if (isRepeated || before.closing === opening || before.opening === closing) return null;
    return `statement ${before.where} closes with ${before.closing}, statement ${id ?? ''} opens with ${opening}`;
  }
}

const textOf = (balance: StatementBalance | undefined): string | null =>
  balance === undefined ? null : String(balance.amount);
