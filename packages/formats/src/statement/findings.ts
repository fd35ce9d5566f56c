import { limits } from '../limits';
import type {
  Detected,
  ReadingRemedy,
  ReadingWarning,
  Security,
  StatementBalance,
  StatementSummary,
  StatementWarning,
} from '../types';
import { StatementChain } from './chain';
import type { StatementRow, StatementSink } from './parser';

/** Bounds of what a file's reading keeps; the reading is stored. */
const maxStatements = 100;
const maxBalances = 10;
const maxSecurities = 2_000;
const maxExamples = 3;
const maxChars = 200;

const cut = (text: string | null): string | null => text?.slice(0, maxChars) ?? null;

const cutBalance = ({ type, amount, currency, date }: StatementBalance): StatementBalance => ({
  type: type.slice(0, maxChars),
  amount,
  currency: cut(currency),
  date: cut(date),
});

interface Notes {
  count: number;
  examples: string[];
}

/** Collects what the whole file shows before its rows are read. */
export class Findings implements StatementSink {
  private readonly columns = new Set<string>();
  private readonly notes = new Map<StatementWarning, Notes>();
  private readonly statements: StatementSummary[] = [];
  private readonly largeEntries: Record<string, string | null> = {};
  private readonly securities: Record<string, Security> = {};
  private readonly chain = new StatementChain();
  private rows = 0;
  private identifies = false;
  private securityCount = 0;

  /** `isLocal` as in `GivenOptions`. */
  constructor(private readonly isLocal: boolean | undefined) {}

  row(row: StatementRow): void {
    this.rows++;
    if ('identity' in row && row.identity !== undefined) this.identifies = true;
    if (!('data' in row) || this.rows > limits.sampleRows) return;
    for (const name of Object.keys(row.data)) this.columns.add(name);
  }

  statement(summary: StatementSummary): void {
    const gap = this.chain.gapBefore(summary);
    if (gap !== null) this.warn('statement_missing', gap);
    if (this.statements.length >= maxStatements) return;
    const { id, account_id, currency, additional_information: text } = summary;
    this.statements.push({
      ...summary,
      id: cut(id),
      account_id: cut(account_id),
      currency: cut(currency),
      balances: summary.balances.slice(0, maxBalances).map(cutBalance),
      ...(text === undefined ? {} : { additional_information: text.slice(0, limits.rawBytes) }),
    });
  }

  warn(code: StatementWarning, example: string): void {
    const notes = this.notes.get(code) ?? { count: 0, examples: [] };
    this.notes.set(code, notes);
    notes.count++;
    if (notes.examples.length < maxExamples) notes.examples.push(example.slice(0, limits.valueChars * 4));
  }

  largeEntry(entry: number, element: string | null): void {
    this.largeEntries[entry] = element;
  }

  security(id: string, security: Security): void {
    if (this.securityCount++ < maxSecurities)
      this.securities[id.slice(0, maxChars)] = { name: cut(security.name), ticker: cut(security.ticker) };
  }

  get reading(): Pick<Detected, 'headers' | 'identifies' | 'statements' | 'largeEntries' | 'securities' | 'warnings'> {
    if (this.rows === 0) this.warn('no_transactions', '');
    return {
      headers: [...this.columns],
      statements: this.statements,
      ...(this.identifies ? { identifies: true } : {}),
      ...(Object.keys(this.largeEntries).length > 0 ? { largeEntries: this.largeEntries } : {}),
      ...(this.securityCount > 0 ? { securities: this.securities } : {}),
      warnings: [...this.notes].map(([code, notes]) => warning(code, notes, this.isLocal)),
    };
  }
}

interface Remedy {
  what: string;
  remedy: string;
  /** The options that settle it. */
  options?: readonly ReadingRemedy[];
  /** The remedies that only an upload has. */
  ofUpload?: { remedy: string; options?: readonly ReadingRemedy[] };
}

const remedies: Record<StatementWarning, Remedy> = {
  ambiguous_date: {
    what: 'Day and month of the dates can be read in two orders, and no date of the file proves one',
    remedy: 'Check the dates',
    options: ['DD/MM/YYYY', 'MM/DD/YYYY'].map((value) => ({ option: 'dateFormat', value })),
  },
  ambiguous_number: {
    what: 'A number can be read with thousands or with decimals, and no number of the file proves one',
    remedy: 'Check the amounts',
    options: ['.', ','].map((value) => ({ option: 'decimalSeparator', value })),
  },
  balance_differs: {
    what: 'The opening balance and the transactions do not give the closing balance',
    remedy: 'Transactions may be missing: compare the file with the statement, and export it again',
  },
  bank_error: {
    what: 'The bank reports an error instead of a statement',
    remedy: 'The rest of the file is read. Ask the bank for the statement that is missing',
  },
  batch_kept_whole: {
    what: 'The single transactions of an entry do not add up to what was booked',
    remedy: 'The entry is one row with the booked amount, and "details" lists its transactions. Check them there',
  },
  closing_balance_missing: {
    what: 'A statement has no closing balance',
    remedy: 'The file may have been cut: export it again if transactions are missing',
  },
  currency_missing: {
    what: 'An amount names no currency',
    remedy:
      'It is taken to be in the currency of the account, if that is known. Check it, or ask the bank; where none is ' +
      'known, leave out filters on currency, and set currencyKeyLeft or currencyKeyRight of a reconciliation to null',
  },
  day_corrected: {
    what: 'A date is 29 or 30 February, and the year has no such day',
    remedy: 'It is read as the last day of that February. Correct the date if another day is meant',
  },
  identity_repeated: {
    what: 'The bank gives one id to several transactions of a statement',
    remedy: 'Each is kept as a record of its own',
    ofUpload: { remedy: 'Ids of this bank may mean nothing', options: [{ option: 'identity', value: 'none' }] },
  },
  invalid_characters: {
    what: 'Some bytes are no characters in the encoding of the file, and are shown as \ufffd',
    remedy: 'Check the texts',
    options: [{ option: 'encoding', value: null }],
  },
  negative_amounts: {
    what: 'An amount has a minus sign beside its direction, which the standard does not allow',
    remedy: 'The sign turns the direction round: a negative debit is incoming money. Compare with the balances',
  },
  no_transactions: {
    what: 'The file holds no transaction',
    remedy: 'If there should be rows, export it for another time',
    ofUpload: { remedy: 'Its balances are in metadata.statements' },
  },
  pending_transactions: {
    what: 'Transactions are not booked yet, or for information only',
    remedy: 'They are rows like others: where only booked money counts, filter by the column "status"',
  },
  statement_missing: {
    what: 'A statement, or a page of one, is missing',
    remedy: 'Transactions are missing: export the whole time again',
  },
  splits_differ: {
    what: 'The splits of a transaction do not add up to its amount',
    remedy: 'The row has the amount of the transaction. Check its "splits"',
  },
};

function warning(code: StatementWarning, { count, examples }: Notes, isLocal: boolean | undefined): ReadingWarning {
  const { what, remedy, options = [], ofUpload } = remedies[code];
  const more = isLocal ? undefined : ofUpload;
  const mend = more === undefined ? remedy : `${remedy}. ${more.remedy}`;
  const settling = [...options, ...(more?.options ?? [])];
  const shown = examples.filter((example) => example !== '').join('; ');
  const times = count > examples.length ? ` and ${count - examples.length} more` : '';
  return {
    code,
    column: null,
    message: `${what}${shown === '' ? '' : ` (${shown}${times})`}. ${mend}`,
    ...(settling.length === 0 ? {} : { remedies: settling }),
  };
}
