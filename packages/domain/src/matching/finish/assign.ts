import { oneToOne, type Loss, type RankedPair, type Side } from '@tieout/engine';
import { streamRows, readId, type BinaryRows, type PoolClient } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import type { FinishedEntry } from './finish';
import type { Directory } from '../stage/directory';

const updateSize = 5_000;
/** A transaction that others wait for and that says nothing for half a minute is taken for one whose process hangs. */
const wordEveryMs = 5_000;

/**
 * Turns the MATCH pairs that lose against a better pair, or tie with one, into POSSIBLE. The pairs are read twice: in rank order,
 * which tells what becomes of each, and then as they are stored, which is how they are updated: the new version of a row finds
 * room in the page of the old one, and each page is in hand once.
 * What is kept is some bytes a record and the ids of the losers of the current update.
 * @param withheld ids of pairs that this transaction has taken out already
 * @param step called after each group of pairs: throws where the job may not go on
 * @returns how many pairs are a MATCH now, and how many have been one; fewer than lost where one was deleted meanwhile
 */
export async function assignOneToOne(
  scope: TenantScope,
  client: PoolClient,
  jobId: string,
  entry: FinishedEntry,
  directories: Record<Side, Directory>,
  withheld: ReadonlySet<string>,
  step: () => Promise<void> | void,
): Promise<{ matches: number; demoted: number }> {
  const losers: Record<Loss, string[]> = { conflict: [], ambiguous: [] };
  let matches = 0;
  let demoted = 0;
  const demote = async (loss: Loss, leaveBelow: number): Promise<void> => {
    while (losers[loss].length > leaveBelow) {
      const { rowCount } = await client.query(
        `update matches set decision = 'POSSIBLE', explanation = explanation || $3 where tenant_id = $1 and id = any($2::uuid[])`,
        [scope.tenantId, losers[loss].splice(0, updateSize), JSON.stringify({ [loss]: true })],
      );
      demoted += rowCount ?? 0;
    }
  };

  // Batches are committed by now: another connection reads them while this one updates, and sees them as they were.
  await scope.db.session(async (reader) => {
    const assignment = oneToOne(directories.left.length, directories.right.length);
    let wordMs = performance.now();
    const goOn = async (): Promise<void> => {
      await step();
      if (performance.now() - wordMs < wordEveryMs) return;
      await client.query('select');
      wordMs = performance.now();
    };
    const pairs = matchPairs(reader, scope.tenantId, jobId, entry);
    for await (const rows of streamRows(reader, `${pairs} ${byRank}`, fields)) {
      for (const { pair } of pairsIn(rows, directories, withheld)) assignment.push(pair);
      await goOn();
    }
    for await (const rows of streamRows(reader, pairs, fields)) {
      for (const { pair, idAt } of pairsIn(rows, directories, withheld)) {
        const loss = assignment.lossOf(pair);
        if (loss === null) matches++;
        else losers[loss].push(readId(rows.bytes, idAt));
      }
      await goOn();
      await demote('conflict', updateSize - 1);
      await demote('ambiguous', updateSize - 1);
    }
  });
  await demote('conflict', 0);
  await demote('ambiguous', 0);
  return { matches, demoted };
}

const fields = 6;

/** The pairs of a group of rows, but for those that are withheld. */
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

function matchPairs(client: PoolClient, tenantId: string, jobId: string, entry: FinishedEntry): string {
  const literal = (text: string): string => client.escapeLiteral(text);
  return `select m.id, m.left_record_id, m.right_record_id, m.score, abs((m.explanation ->> 'dayDelta')::int)::float8 as days,
                 abs((m.explanation ->> 'amountDelta')::numeric)::float8 as gap
            from matches m
           where m.tenant_id = ${literal(tenantId)} and m.job_id = ${literal(jobId)} and m.rule_set_id = ${literal(entry.ruleSetId)}
             and m.decision = 'MATCH'`;
}

/** Best score first, then fewer days, smaller gap; a missing day difference or gap counts as the largest. Ids decide nothing. */
const byRank = 'order by m.score desc, days asc nulls last, gap asc nulls last';
