import { createAssignment, type Loss, type RankedPair, type Side } from '@tieout/engine';
import { streamRows, readId, type BinaryRows, type PoolClient } from '@tieout/infra';
import type { Directory } from '../stage/directory';
import { ownerOf, steppingCheck, type FinishEntry, type FinishRun } from './run';

const updateSize = 5_000;
/** Interval of queries on the writing connection: a transaction that blocks others in silence counts as hung. */
const keepAliveMs = 5_000;

/** The snapshot of an entry, and the ids of pairs that were withheld from the assignment. */
export interface PairsToAssign {
  directories: Record<Side, Directory>;
  withheld: ReadonlySet<string>;
}

/**
 * Turns every MATCH pair that loses to a better pair, or ties with an equal one, into POSSIBLE. The rule for ties is
 * that of `createAssignment` in the engine (packages/engine/src/assignment). The pairs are read twice: in rank order to
 * decide, and in stored order to update, so that a row's new version stays in its page and each page is written once.
 * Memory holds some bytes a record and the losers of the current update.
 * @returns the MATCH pairs left and the demoted ones; a loser that was deleted meanwhile is neither
 * @throws JobStoppedError
 */
export async function assignOneToOne(
  run: FinishRun,
  entry: FinishEntry,
  { directories, withheld }: PairsToAssign,
): Promise<{ matches: number; demoted: number }> {
  const { scope, client } = run;
  const assignment = createAssignment(directories.left.length, directories.right.length);
  const demotion = new Demotion(client, scope.tenantId);
  let matches = 0;

  // The batches are committed: another connection reads their pairs as they were before the updates of this one.
  await scope.db.session(async (reader) => {
    const goOn = keptAlive(client, steppingCheck(run));
    const pairs = matchPairs(reader, run, entry);
    for await (const rows of streamRows(reader, `${pairs} ${byRank}`, fields)) {
      for (const { pair } of pairsIn(rows, directories, withheld)) assignment.push(pair);
      await goOn();
    }
    for await (const rows of streamRows(reader, pairs, fields)) {
      for (const { pair, idAt } of pairsIn(rows, directories, withheld)) {
        const loss = assignment.lossOf(pair);
        if (loss === null) matches++;
        else demotion.losers[loss].push(readId(rows.bytes, idAt));
      }
      await goOn();
      await demotion.flush(updateSize);
    }
  });
  await demotion.flush(1);
  return { matches, demoted: demotion.count };
}

/** Updates losers in groups of up to `updateSize`. */
class Demotion {
  readonly losers: Record<Loss, string[]> = { conflict: [], ambiguous: [] };
  count = 0;

  constructor(
    private readonly client: PoolClient,
    private readonly tenantId: string,
  ) {}

  /** Updates until fewer than `minSize` losers of each kind are left. */
  async flush(minSize: number): Promise<void> {
    for (const loss of ['conflict', 'ambiguous'] as const) {
      while (this.losers[loss].length >= minSize) {
        const { rowCount } = await this.client.query(
          `update matches set decision = 'POSSIBLE', explanation = explanation || $3
            where tenant_id = $1 and id = any($2::uuid[])`,
          [this.tenantId, this.losers[loss].splice(0, updateSize), JSON.stringify({ [loss]: true })],
        );
        this.count += rowCount ?? 0;
      }
    }
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
  const literal = (text: string): string => client.escapeLiteral(text);
  return `select m.id, m.left_record_id, m.right_record_id, m.score,
                 abs((m.explanation ->> 'dayDelta')::int)::float8 as days,
                 abs((m.explanation ->> 'amountDelta')::numeric)::float8 as gap
            from matches m
           where m.tenant_id = ${literal(tenantId)} and m.job_id = ${literal(jobId)}
             and m.rule_set_id = ${literal(ruleSetId)} and m.decision = 'MATCH'`;
}

/**
 * Best score first, then fewer days, then the smaller gap; a missing value counts as the largest. Ids decide nothing.
 */
const byRank = 'order by m.score desc, days asc nulls last, gap asc nulls last';
