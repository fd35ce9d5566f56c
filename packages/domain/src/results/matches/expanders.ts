import { explanationExpander, type RuleSetDefinition } from '@tieout/engine';
import type { TenantScope } from '../../kernel/scope';

/** Completes a stored explanation; both are JSON text. */
type Expand = (stored: string) => string;

interface Entry {
  matchingJobId: string;
  ruleSetId: string;
}

const asStored: Expand = (stored) => stored;

/** Each has the names of its matchers. */
const mostRemembered = 200;

/** By tenant, job and rule set: the definition that a job runs never changes. Those used last are the last ones in it. */
const remembered = new Map<string, Expand>();

/**
 * A stored match holds what differs from pair to pair; the rest of its explanation is the definition that its job ran.
 *
 * @returns What completes the explanation of each of the matches
 */
export async function expandersOf(scope: TenantScope, matches: readonly Entry[]): Promise<(of: Entry) => Expand> {
  const keyOf = ({ matchingJobId, ruleSetId }: Entry): string => `${scope.tenantId} ${matchingJobId} ${ruleSetId}`;
  const found = new Map<string, Expand>();
  const missing = new Map<string, Entry>();
  for (const match of matches) {
    const key = keyOf(match);
    if (found.has(key)) continue;
    const known = remembered.get(key);
    if (known) found.set(key, remember(key, known));
    else missing.set(key, match);
  }
  if (missing.size > 0) {
    for (const { definition, ...entry } of await readEntries(scope, [...missing.values()])) {
      const key = keyOf(entry);
      found.set(key, remember(key, explanationExpander(definition)));
    }
  }
  return (match) => found.get(keyOf(match)) ?? asStored;
}

function remember(key: string, expand: Expand): Expand {
  remembered.delete(key);
  if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value as string);
  remembered.set(key, expand);
  return expand;
}

function readEntries(
  scope: TenantScope,
  entries: readonly Entry[],
): Promise<(Entry & { definition: RuleSetDefinition })[]> {
  return scope.db.shortReads.query(
    `select e.job_id as "matchingJobId", e.rule_set_id as "ruleSetId", e.definition
       from unnest($2::uuid[], $3::uuid[]) wanted(job_id, rule_set_id)
       join job_rule_sets e on e.job_id = wanted.job_id and e.rule_set_id = wanted.rule_set_id where e.tenant_id = $1::uuid`,
    [scope.tenantId, entries.map((entry) => entry.matchingJobId), entries.map((entry) => entry.ruleSetId)],
  );
}
