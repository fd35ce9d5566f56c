import { explanationExpander, type RuleSetDefinition } from '@tieout/engine';
import type { TenantScope } from '../scope';

/** Completes a stored explanation; both are JSON text. */
type Expand = (stored: string) => string;

interface Entry {
  matchingJobId: string;
  ruleSetId: string;
}

const asStored: Expand = (stored) => stored;

const mostRemembered = 1_000;
const mostRememberedLength = 20_000;

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
      const expand = explanationExpander(definition);
      found.set(key, isShort(definition) ? remember(key, expand) : expand);
    }
  }
  return (match) => found.get(keyOf(match)) ?? asStored;
}

/** Names of matchers may be as long as a rule set. */
const isShort = ({ params }: RuleSetDefinition): boolean =>
  (params.matchers ?? []).reduce((length, { id = '', name = '' }) => length + id.length + name.length, 0) <= mostRememberedLength;

function remember(key: string, expand: Expand): Expand {
  remembered.delete(key);
  if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value as string);
  remembered.set(key, expand);
  return expand;
}

function readEntries(scope: TenantScope, entries: readonly Entry[]): Promise<(Entry & { definition: RuleSetDefinition })[]> {
  const distinct = (of: (entry: Entry) => string): string[] => [...new Set(entries.map(of))];
  return scope.db.brief.query(
    `select job_id as "matchingJobId", rule_set_id as "ruleSetId", definition from job_rule_sets
      where tenant_id = $1::uuid and job_id = any($2::uuid[]) and rule_set_id = any($3::uuid[])`,
    [scope.tenantId, distinct((entry) => entry.matchingJobId), distinct((entry) => entry.ruleSetId)],
  );
}
