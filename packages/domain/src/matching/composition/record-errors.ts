import { heavyEffort, memberSide, type CompositeDirection, type RelationFailures, type Side } from '@tieout/engine';
import { idBytes, readId } from '@tieout/infra';
import type { ComposedRecords } from '../../results/composites';
import type { EntryError, HeavyFailure } from '../jobs/errors';
import { keptErrors } from '../jobs/limits';

/** Problems of composition, which a job reports as errors of the records concerned. */
export const compositionProblems = {
  searchEnded: {
    code: 'composition_search_ended',
    message:
      'The search for a group ended on its limit: a dateStrategy, a groupByField or a smaller maxGroupSize leaves ' +
      'fewer groups to look through',
  },
  amountOutOfRange: {
    code: 'amount_out_of_range',
    message:
      'The amount is beyond 2^47 units at the decimals that the amounts of both datasets need, and takes no part in ' +
      'composition',
  },
  planTooLong: {
    code: 'plan_too_long',
    message:
      'installmentDiscovery.totalCountField states a plan of more than 480 installments, and the record counts as ' +
      'one without a plan: give its installments a totalCountField of 2 to 480',
  },
} as const;

/** Counts the records with a problem, and keeps the errors of the first ones. */
export class RecordErrors {
  count = 0;
  readonly kept: EntryError[] = [];

  constructor(
    private readonly problem: { code: string; message: string },
    private readonly ids: ComposedRecords['ids'],
  ) {}

  add(side: Side, row: number): void {
    this.count++;
    if (this.kept.length === keptErrors) return;
    const id = readId(this.ids[side], row * idBytes);
    this.kept.push({
      left_record_id: side === 'left' ? id : null,
      right_record_id: side === 'right' ? id : null,
      ...this.problem,
    });
  }
}

/** Counts failed evaluations of pair filters and evidence for targets and members, and keeps the first errors. */
export class RelationErrors {
  count = 0;
  readonly kept: EntryError[] = [];

  /** @param onHeavyFailure gets failed evaluations that used most of their limits */
  constructor(
    private readonly ids: ComposedRecords['ids'],
    private readonly onHeavyFailure: (failure: HeavyFailure) => void,
  ) {}

  /** Adds the failures of one target. */
  add(direction: CompositeDirection, target: number, { count, kept }: RelationFailures): void {
    this.count += count;
    const idOf = (side: Side, member: number): string =>
      readId(this.ids[side], (side === memberSide[direction] ? member : target) * idBytes);
    for (const { member, code, message, expression, effort } of kept) {
      const ids = { left_record_id: idOf('left', member), right_record_id: idOf('right', member) };
      const failure = { ...ids, code, message, expression };
      if (this.kept.length < keptErrors) this.kept.push(failure);
      if (effort >= heavyEffort) this.onHeavyFailure(failure);
    }
  }
}
