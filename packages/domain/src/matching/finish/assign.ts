import {
  createAssignment,
  type Loss,
  type OneToOneAssignment,
  type RankedPair,
  type RejectedPair,
  type Side,
} from '@tieout/engine';
import { streamRows, readId, type BinaryRows, type PoolClient } from '@tieout/infra';
import { rejectedPairs } from '../../results/matches';
import type { Directory } from '../stage/directory';
import { entryBlocks, equalRecords } from './equal-records';
import { mirrorSql } from './mirrored';
import { ownerOf, stageOf, steppingCheck, type FinishEntry, type FinishRun } from './run';
import type { Withheld } from './withhold';

const updateSize = 5_000;
/** Interval of queries on the writing connection: a transaction that blocks others in silence counts as hung. */
const keepAliveMs = 5_000;

/** The snapshot of an entry, and the pairs that were withheld from the assignment. */
export interface PairsToAssign {
  directories: Record<Side, Directory>;
  withheld: Withheld;
}

/** Results of the assignment of an entry. A loser that has been deleted counts nowhere. */
export interface AssignedPairs {
  matches: number;
  demoted: number;
  /** Pairs that only exchange equal records between matches, and were deleted. */
  exchanged: { count: number; scoreSum: number };
}

/**
 * Turns every MATCH pair that loses to a better pair, or ties with an equal one, into POSSIBLE. The rule for ties is
 * that of `createAssignment` in the engine (packages/engine/src/assignment). The pairs are read in rank order to
 * decide, again with the classes of equal records where there are ties, and in stored order to update, so that a row's
 * new version stays in its page and each page is written once. Memory holds some bytes a record and the losers of the
 * current update.
 * @throws JobStoppedError
 */
export async function assignOneToOne(
  run: FinishRun,
  entry: FinishEntry,
  { directories, withheld }: PairsToAssign,
): Promise<AssignedPairs> {
  const { scope, client } = run;
  const update = new PairUpdate(client, scope.tenantId);
  let matches = 0;
  const decide = async (reader: PoolClient): Promise<void> => {
    const goOn = keptAlive(client, steppingCheck(run));
    const pairs = matchPairs(reader, run, entry);
    const read = async (order: string, visit: (pair: RankedPair, rows: BinaryRows, idAt: number) => void) => {
      for await (const rows of streamRows(reader, `${pairs} ${order}`, fields)) {
        for (const { pair, idAt } of pairsIn(rows, directories, withheld.ids)) visit(pair, rows, idAt);
        if (run.isSmall) continue;
        await goOn();
        await update.flush(updateSize);
      }
    };
    const records = { left: directories.left.length, right: directories.right.length };
    const isOneSide = entry.isOneSide;
    const wanted = { left: new Uint8Array(records.left), right: new Uint8Array(records.right) };
    let assignment = createAssignment({ records, isOneSide });
    await read(byRank, (pair) => {
      assignment.push(pair);
      wanted.left[pair.left] = wanted.right[pair.right] = 1;
    });
    assignment.end();
    if (assignment.hasTies) {
      const blocksOf = (side: Side) => entryBlocks(reader, stageOf(run, entry), side);
      const classes = await equalRecords({ blocksOf, params: entry.definition.params, isOneSide, directories, wanted });
      const rejected = await rejectionsOf(run, entry, { directories, withheld });
      assignment = createAssignment({ records, classes, isOneSide, rejected });
      await read(byRank, (pair) => assignment.push(pair));
      assignment.end();
    }
    await read('', (pair, rows, idAt) => {
      if (assignment.lossOf(pair) === null) matches++;
      update.add(assignment, pair, readId(rows.bytes, idAt));
    });
  };
  // The batches are committed: another connection reads their pairs as they were before the updates of this one. The
  // pairs of a small job are all read before the first update.
  await (run.isSmall ? decide(client) : scope.db.session(decide));
  await update.flush(1);
  return { matches, demoted: update.demoted, exchanged: update.exchanged };
}

/** Returns the rejected pairs of the entry. */
async function rejectionsOf(
  run: FinishRun,
  entry: FinishEntry,
  { directories: { left, right }, withheld }: PairsToAssign,
): Promise<RejectedPair[]> {
  const pairs = await rejectedPairs(run.client, ownerOf(run, entry), withheld.decisions.alikeJobs);
  return pairs
    .map(({ leftRecordId, rightRecordId }) => ({ left: left.seqOf(leftRecordId), right: right.seqOf(rightRecordId) }))
    .filter((pair) => pair.left !== -1 && pair.right !== -1);
}

/** Writes the outcome of pairs in groups of up to `updateSize`. */
class PairUpdate {
  demoted = 0;
  readonly exchanged = { count: 0, scoreSum: 0 };
  private readonly losers: Record<Loss, string[]> = { conflict: [], ambiguous: [], exchangeable: [] };
  /** Ids of matches that chose among equal records, and the number of these. */
  private readonly tied: { ids: string[]; choices: number[] } = { ids: [], choices: [] };

  constructor(
    private readonly client: PoolClient,
    private readonly tenantId: string,
  ) {}

  add(assignment: OneToOneAssignment, pair: RankedPair, id: string): void {
    const loss = assignment.lossOf(pair);
    if (loss !== null) {
      this.losers[loss].push(id);
      return;
    }
    const choices = assignment.choicesOf(pair);
    if (choices === 1) return;
    this.tied.ids.push(id);
    this.tied.choices.push(choices);
  }

  /** Writes until fewer than `minSize` pairs of each kind are left. */
  async flush(minSize: number): Promise<void> {
    for (const loss of ['conflict', 'ambiguous'] as const) {
      while (this.losers[loss].length >= minSize) await this.demote(loss);
    }
    while (this.losers.exchangeable.length >= minSize) await this.deleteExchangeable();
    while (this.tied.ids.length >= minSize) await this.explainTied();
  }

  private async demote(loss: Loss): Promise<void> {
    const { rowCount } = await this.client.query(
      `update matches set decision = 'POSSIBLE', explanation = explanation || $3
        where tenant_id = $1 and id = any($2::uuid[])`,
      [this.tenantId, this.losers[loss].splice(0, updateSize), JSON.stringify({ [loss]: true })],
    );
    this.demoted += rowCount ?? 0;
  }

  private async deleteExchangeable(): Promise<void> {
    const { rows } = await this.client.query<{ score: number }>(
      `delete from matches where tenant_id = $1 and id = any($2::uuid[]) returning score`,
      [this.tenantId, this.losers.exchangeable.splice(0, updateSize)],
    );
    this.exchanged.count += rows.length;
    for (const { score } of rows) this.exchanged.scoreSum += score;
  }

  private async explainTied(): Promise<void> {
    await this.client.query(
      `update matches m set explanation = m.explanation || jsonb_build_object('interchangeable', t.choices)
         from unnest($2::uuid[], $3::int[]) t(id, choices) where m.tenant_id = $1 and m.id = t.id`,
      [this.tenantId, this.tied.ids.splice(0, updateSize), this.tied.choices.splice(0, updateSize)],
    );
  }
}

/** Combines a check with queries that keep the connection from being silent for long. */
function keptAlive(client: PoolClient, check: () => Promise<void> | void): () => Promise<void> {
  let queriedMs = performance.now();
  return async () => {
    await check();
    if (performance.now() - queriedMs < keepAliveMs) return;
    await client.query('select');
    queriedMs = performance.now();
  };
}

const fields = 6;

/** Iterates over the pairs of a group of rows, except withheld ones. */
function* pairsIn(
  rows: BinaryRows,
  { left, right }: Record<Side, Directory>,
  withheld: ReadonlySet<string>,
): Generator<{ pair: RankedPair; idAt: number }> {
  const { bytes } = rows;
  const numberAt = (row: number, field: number): number | null =>
    rows.length(row, field) === -1 ? null : bytes.readDoubleBE(rows.start(row, field));
  for (let row = 0; row < rows.count; row++) {
    const idAt = rows.start(row, 0);
    if (withheld.size > 0 && withheld.has(readId(bytes, idAt))) continue;
    const pair: RankedPair = {
      left: left.seqAt(bytes, rows.start(row, 1)),
      right: right.seqAt(bytes, rows.start(row, 2)),
      score: bytes.readDoubleBE(rows.start(row, 3)),
      days: numberAt(row, 4),
      gap: numberAt(row, 5),
    };
    yield { pair, idAt };
  }
}

function matchPairs(client: PoolClient, run: FinishRun, entry: FinishEntry): string {
  const { tenantId, jobId, ruleSetId } = ownerOf(run, entry);
  const notMirrored = entry.isOneSide ? `and not ${mirrorSql('m')}` : '';
  const literal = (text: string): string => client.escapeLiteral(text);
  return `select m.id, m.left_record_id, m.right_record_id, m.score,
                 abs((m.explanation ->> 'dayDelta')::int)::float8 as days,
                 abs((m.explanation ->> 'amountDelta')::numeric)::float8 as gap
            from matches m
           where m.tenant_id = ${literal(tenantId)} and m.job_id = ${literal(jobId)}
             and m.rule_set_id = ${literal(ruleSetId)} and m.decision = 'MATCH' ${notMirrored}`;
}

/**
 * Best score first, then fewer days, then the smaller gap; a missing value counts as the largest. Ids decide nothing.
 */
const byRank = 'order by m.score desc, days asc nulls last, gap asc nulls last';
