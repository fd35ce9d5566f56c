import { explanationExpander, type RuleSetDefinition } from '@tieout/engine';
import { LRUCache } from 'lru-cache';
import type { TenantScope } from '../../kernel/scope';

/** Completes a stored explanation; both are JSON text. */
type Expand = (stored: string) => string;

interface EntryKey {
  matchingJobId: string;
  ruleSetId: string;
}

const asStored: Expand = (stored) => stored;

/** Caches expanders by tenant, job and rule set, whose definition never changes. Each holds names of matchers. */
const cache = new LRUCache<string, Expand>({ max: 200 });

/**
 * Returns a function that finds the expander of a match: a stored match holds only the parts of its explanation that
 * differ from pair to pair; the rest is the definition that its job ran.
 */
export async function expandersOf(
  scope: TenantScope,
  matches: readonly EntryKey[],
): Promise<(match: EntryKey) => Expand> {
  const keyOf = ({ matchingJobId, ruleSetId }: EntryKey): string => `${scope.tenantId} ${matchingJobId} ${ruleSetId}`;
  const found = new Map<string, Expand>();
  const missing = new Map<string, EntryKey>();
  for (const match of matches) {
    const key = keyOf(match);
    if (found.has(key)) continue;
    const known = cache.get(key);
    if (known) found.set(key, known);
    else missing.set(key, match);
  }
  if (missing.size > 0) {
    for (const { definition, ...entry } of await readEntries(scope, [...missing.values()])) {
      const expand = explanationExpander(definition);
      found.set(keyOf(entry), expand);
      cache.set(keyOf(entry), expand);
    }
  }
  return (match) => found.get(keyOf(match)) ?? asStored;
}

function readEntries(
  scope: TenantScope,
  entries: readonly EntryKey[],
): Promise<(EntryKey & { definition: RuleSetDefinition })[]> {
  return scope.db.shortReads.query(
    `select e.job_id as "matchingJobId", e.rule_set_id as "ruleSetId", e.definition
       from unnest($2::uuid[], $3::uuid[]) named(job_id, rule_set_id)
       join job_rule_sets e on e.job_id = named.job_id and e.rule_set_id = named.rule_set_id
      where e.tenant_id = $1::uuid`,
    [scope.tenantId, entries.map((entry) => entry.matchingJobId), entries.map((entry) => entry.ruleSetId)],
  );
}
