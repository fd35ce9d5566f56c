import type { ProposalAnswer } from '../../api/proposals';
import { unitsOf } from '../../text/format';

/** Proposals that fit a filter, as far as a decision about all of them needs to know. */
export interface BulkChoice {
  /** Proposals that can be confirmed together, the best of each record. */
  chosen: DecidedItem[];
  /** Proposals that share a record with a better one: that one's confirmation rules them out. */
  rivals: DecidedItem[];
  /** The sums of the left sides of the chosen ones, in units by currency. */
  sums: Map<string, bigint>;
}

export type DecidedItem = Pick<ProposalAnswer, 'id' | 'kind'>;

export const emptyChoice = (): BulkChoice => ({ chosen: [], rivals: [], sums: new Map() });

/** Adds proposals, which come best first, to a choice. @param taken the records of those chosen so far */
export function addToChoice(choice: BulkChoice, taken: Set<string>, proposals: readonly ProposalAnswer[]): void {
  for (const { id, kind, records } of proposals) {
    if (records.some(({ record_id }) => taken.has(record_id))) {
      choice.rivals.push({ id, kind });
      continue;
    }
    choice.chosen.push({ id, kind });
    for (const { record_id, side, currency, remaining_amount } of records) {
      taken.add(record_id);
      if (side !== 'left') continue;
      const code = currency ?? '';
      choice.sums.set(code, (choice.sums.get(code) ?? 0n) + (unitsOf(remaining_amount) ?? 0n));
    }
  }
}
