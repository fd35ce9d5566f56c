import { oneToOne, type RankedPair, type Side, type Verdict } from '@tieout/engine';
import { copyOut, readId, type PoolClient } from '@tieout/infra';
import type { TenantScope } from '../scope';
import type { FinishedEntry } from './finish';
import type { Directory } from './stage/directory';

const updateSize = 5_000;

interface Demotion {
  ids: string[];
  patch: object;
}

/**
 * Turns the MATCH pairs that lose against a better pair, or tie with one, into POSSIBLE. The pairs stream in rank
 * order; what is kept is one bit a record and the ids of the losers of the current update.
 * @param withheld ids of pairs that this transaction has taken out already
 * @returns how many pairs were demoted
 */
export async function assignOneToOne(
  scope: TenantScope,
  client: PoolClient,
  jobId: string,
  entry: FinishedEntry,
  directories: Record<Side, Directory>,
  withheld: ReadonlySet<string>,
): Promise<number> {
  const demotions = new Map<string, Demotion>();
  let demoted = 0;
  const flush = async (demotion: Demotion): Promise<void> => {
    const ids = demotion.ids.splice(0);
    if (ids.length === 0) return;
    const { rowCount } = await client.query(
      `update matches set decision = 'POSSIBLE', explanation = explanation || $3 where tenant_id = $1 and id = any($2::uuid[])`,
      [scope.tenantId, ids, JSON.stringify(demotion.patch)],
    );
    // A match that was deleted with one of its records meanwhile does not count.
    demoted += rowCount ?? 0;
  };
  const decide = (pair: Ranked, verdict: Verdict): void => {
    const patch = patchOf(verdict);
    if (!patch) return;
    const key = JSON.stringify(patch);
    let demotion = demotions.get(key);
    if (!demotion) demotions.set(key, (demotion = { ids: [], patch }));
    demotion.ids.push(pair.matchId);
  };

  // Batches are committed by now: another connection reads them while this one updates.
  await scope.db.session(async (reader) => {
    const assignment = oneToOne(directories.left.length, directories.right.length);
    for await (const rows of copyOut(reader, rankedPairs(reader, scope.tenantId, jobId, entry), 6)) {
      const numberAt = (row: number, field: number): number | null =>
        rows.length(row, field) === -1 ? null : rows.bytes.readDoubleBE(rows.start(row, field));
      for (let row = 0; row < rows.count; row++) {
        const matchId = readId(rows.bytes, rows.start(row, 0));
        if (withheld.has(matchId)) continue;
        const pair: Ranked = {
          matchId,
          left: directories.left.seqAt(rows.bytes, rows.start(row, 1)),
          right: directories.right.seqAt(rows.bytes, rows.start(row, 2)),
          score: rows.bytes.readDoubleBE(rows.start(row, 3)),
          days: numberAt(row, 4),
          gap: numberAt(row, 5),
        };
        assignment.push(pair, (p, verdict) => decide(p as Ranked, verdict));
      }
      for (const demotion of demotions.values()) if (demotion.ids.length >= updateSize) await flush(demotion);
    }
    assignment.end((p, verdict) => decide(p as Ranked, verdict));
  });
  for (const demotion of demotions.values()) await flush(demotion);
  return demoted;
}

interface Ranked extends RankedPair {
  matchId: string;
}

/** What the explanation of a pair that is no MATCH after all says. */
function patchOf(verdict: Verdict): object | undefined {
  switch (verdict.kind) {
    case 'match':
      return undefined;
    case 'ambiguous':
      return { ambiguous: true };
    case 'conflict':
      return { conflict: true };
  }
}

/** Best score first, then fewer days, smaller gap, ids; a missing day difference or gap counts as the largest. */
function rankedPairs(client: PoolClient, tenantId: string, jobId: string, entry: FinishedEntry): string {
  const literal = (text: string): string => client.escapeLiteral(text);
  return `select m.id, m.left_record_id, m.right_record_id, m.score, abs((m.explanation ->> 'dayDelta')::int)::float8 as days,
                 abs((m.explanation ->> 'amountDelta')::numeric)::float8 as gap
            from matches m
           where m.tenant_id = ${literal(tenantId)} and m.job_id = ${literal(jobId)} and m.rule_set_id = ${literal(entry.ruleSetId)}
             and m.decision = 'MATCH'
           order by m.score desc, days asc nulls last, gap asc nulls last, m.left_record_id, m.right_record_id`;
}
