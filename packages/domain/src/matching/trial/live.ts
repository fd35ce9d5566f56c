import { type Side, gather, lowerBound, sortedOrder } from '@tieout/engine';
import { streamRows, type PoolClient } from '@tieout/infra';
import type { Directory } from '../stage/directory';
import { fate, type DecidedPairs } from './decide';
import { ScoredPairs } from './pairs';

type ShownDecision = 'MATCH' | 'POSSIBLE';

/** A pair that a rule set decides otherwise than what is live. Null: it is neither MATCH nor POSSIBLE. */
export interface ChangedPair {
  leftRecordId: string;
  rightRecordId: string;
  before: { decision: ShownDecision; score: number } | null;
  after: { decision: ShownDecision; score: number } | null;
}

/** Differences from what is live or held, by kind, with a page of each. */
export interface TrialChanges {
  live: Record<ShownDecision, number>;
  new: Record<ShownDecision, number>;
  lost: Record<ShownDecision, number>;
  changed: Record<'to_match' | 'to_possible', number>;
  unchanged: number;
  pages: Record<'new' | 'lost' | 'changed', ChangedPair[]>;
}

/** Pairs of a page of changes. */
export const changesPage = 50;

interface LiveSource {
  tenantId: string;
  ruleSetId: string;
  isOneSide: boolean;
  /** Returns whether a trial compares the two records. */
  isRead: (left: number, right: number) => boolean;
}

/** Live pairs by the ranks of their records, in the order of the left ones. */
export class LivePairs {
  private constructor(
    private readonly pairs: Pick<ScoredPairs, 'left' | 'right' | 'score'>,
    private readonly isMatch: Uint8Array,
    private readonly isOneSide: boolean,
  ) {}

  /**
   * Reads the live and held pairs of a rule set of which a trial compares the records. What people decided on is not
   * among them: it stays as it is.
   */
  static async read(client: PoolClient, of: LiveSource, directories: Record<Side, Directory>): Promise<LivePairs> {
    const [tenant, ruleSet] = [client.escapeLiteral(of.tenantId), client.escapeLiteral(of.ruleSetId)];
    const query = `
      select m.left_record_id, m.right_record_id, m.score, m.decision = 'MATCH' from matches m
        join rule_sets r on r.tenant_id = ${tenant} and r.id = ${ruleSet} and r.live_job_id = m.job_id
       where m.tenant_id = ${tenant} and m.rule_set_id = ${ruleSet} and m.review_status is null
      union
      select l.record_id, o.record_id, coalesce(g.score, 1), true from match_groups g
        join match_group_members l on l.group_id = g.id and l.position = 0
        join match_group_members o on o.group_id = g.id and o.position = 1
       where g.tenant_id = ${tenant} and g.rule_set_id = ${ruleSet} and g.status = 'held' and g.kind = 'pair'
         and g.origin = 'auto'`;
    const found = new ScoredPairs();
    const matches: number[] = [];
    for await (const rows of streamRows(client, query, 4)) {
      for (let row = 0; row < rows.count; row++) {
        const left = directories.left.seqAt(rows.bytes, rows.start(row, 0));
        const right = directories.right.seqAt(rows.bytes, rows.start(row, 1));
        if (left === -1 || right === -1 || !of.isRead(left, right)) continue;
        const isTurned = of.isOneSide && left > right;
        found.add(isTurned ? right : left, isTurned ? left : right, rows.bytes.readDoubleBE(rows.start(row, 2)));
        matches.push(rows.bytes[rows.start(row, 3)] as number);
      }
    }
    const order = sortedOrder(found.length, [found.left, found.right]);
    return new LivePairs(
      {
        left: gather(found.left, order, new Uint32Array(order.length)),
        right: gather(found.right, order, new Uint32Array(order.length)),
        score: gather(found.score, order, new Float64Array(order.length)),
      },
      Uint8Array.from(order, (at) => matches[at] as number),
      of.isOneSide,
    );
  }

  /** Returns the place of a pair, or -1. */
  private placeOf(one: number, other: number): number {
    const [left, right] = this.isOneSide && one > other ? [other, one] : [one, other];
    const at = lowerBound(
      0,
      this.pairs.left.length,
      (place) => ((this.pairs.left[place] as number) - left || (this.pairs.right[place] as number) - right) < 0,
    );
    return this.pairs.left[at] === left && this.pairs.right[at] === right ? at : -1;
  }

  /** Returns whether a pair is a live MATCH. */
  hasMatch(left: number, right: number): boolean {
    return this.isMatch[this.placeOf(left, right)] === 1;
  }

  /** Compares decided pairs with the live ones. */
  compare(
    pairs: ScoredPairs,
    { fates, order }: DecidedPairs,
    idsOf: Record<Side, (rank: number) => string>,
  ): TrialChanges {
    const changes: TrialChanges = {
      live: { MATCH: 0, POSSIBLE: 0 },
      new: { MATCH: 0, POSSIBLE: 0 },
      lost: { MATCH: 0, POSSIBLE: 0 },
      changed: { to_match: 0, to_possible: 0 },
      unchanged: 0,
      pages: { new: [], lost: [], changed: [] },
    };
    const seen = new Uint8Array(this.pairs.left.length);
    const liveAt = (place: number) => ({
      decision: this.isMatch[place] === 1 ? ('MATCH' as const) : ('POSSIBLE' as const),
      score: this.pairs.score[place] as number,
    });
    const note = (kind: 'new' | 'lost' | 'changed', pair: () => ChangedPair): void => {
      if (changes.pages[kind].length < changesPage) changes.pages[kind].push(pair());
    };
    for (const at of order) {
      if (fates[at] !== fate.match && fates[at] !== fate.possible) continue;
      const [left, right] = [pairs.left[at] as number, pairs.right[at] as number];
      const after = {
        decision: fates[at] === fate.match ? ('MATCH' as const) : ('POSSIBLE' as const),
        score: pairs.score[at] as number,
      };
      const ids = () => ({ leftRecordId: idsOf.left(left), rightRecordId: idsOf.right(right) });
      const place = this.placeOf(left, right);
      if (place === -1) {
        changes.new[after.decision]++;
        note('new', () => ({ ...ids(), before: null, after }));
        continue;
      }
      seen[place] = 1;
      const before = liveAt(place);
      if (before.decision === after.decision) {
        changes.unchanged++;
        continue;
      }
      changes.changed[after.decision === 'MATCH' ? 'to_match' : 'to_possible']++;
      note('changed', () => ({ ...ids(), before, after }));
    }
    for (const matchesFirst of [1, 0]) {
      for (let place = 0; place < seen.length; place++) {
        if (this.isMatch[place] !== matchesFirst) continue;
        const before = liveAt(place);
        changes.live[before.decision]++;
        if (seen[place] === 1) continue;
        changes.lost[before.decision]++;
        const [left, right] = [this.pairs.left[place] as number, this.pairs.right[place] as number];
        note('lost', () => ({
          leftRecordId: idsOf.left(left),
          rightRecordId: idsOf.right(right),
          before,
          after: null,
        }));
      }
    }
    return changes;
  }
}
