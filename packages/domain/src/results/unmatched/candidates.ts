import { abstains, effectiveParams, scoreScale, valueSteps, weigh, type RuleSetDefinition } from '@tieout/engine';
import { readId } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import type { StoredNearest } from './nearest';
import type { UnmatchedEntry } from './read';

/** A matcher that did not agree fully, and what that costs. */
export interface LackingMatcher {
  id: string;
  name: string;
  value: number;
  weight: number;
  required: boolean;
  /** The score would be higher by this much with a value of 1. */
  lost: number;
}

/** The best candidate of a record below Tpossible, as the job saw it. */
export interface NearestCandidate {
  recordId: string;
  externalId: string | null;
  ruleSetId: string;
  score: number;
  /** Null where the score comes from no matchers, or a condition refused the pair before. */
  lacks: LackingMatcher[] | null;
}

/** Returns the nearest candidates of these records that are still there, by record. */
export async function nearestCandidates(
  scope: TenantScope,
  jobId: string,
  entries: readonly UnmatchedEntry[],
): Promise<Map<string, NearestCandidate>> {
  const found = new Map<string, NearestCandidate>();
  const stored = entries.flatMap(({ recordId, nearest }) => (nearest ? [{ recordId, nearest }] : []));
  if (stored.length === 0) return found;
  const partnerOf = ({ partner }: StoredNearest): string => readId(Buffer.from(partner), 0);
  const partners = await scope.db.query<{ id: string; externalId: string | null }>(
    `select id, external_id as "externalId" from records where tenant_id = $1::uuid and id = any($2::uuid[])`,
    [scope.tenantId, [...new Set(stored.map(({ nearest }) => partnerOf(nearest)))]],
  );
  const partnerById = new Map(partners.map((partner) => [partner.id, partner]));
  const ruleSets = await scope.db.query<{ position: number; ruleSetId: string; definition: RuleSetDefinition }>(
    `select position, rule_set_id as "ruleSetId", definition from job_rule_sets
      where tenant_id = $1::uuid and job_id = $2::uuid and position = any($3::int[])`,
    [scope.tenantId, jobId, [...new Set(stored.map(({ nearest }) => nearest.entry))]],
  );
  for (const { recordId, nearest } of stored) {
    const partner = partnerById.get(partnerOf(nearest));
    const ruleSet = ruleSets.find(({ position }) => position === nearest.entry);
    if (!partner || !ruleSet) continue;
    found.set(recordId, {
      recordId: partner.id,
      externalId: partner.externalId,
      ruleSetId: ruleSet.ruleSetId,
      score: nearest.score,
      lacks: nearest.values === null ? null : lackingOf(ruleSet.definition, nearest.values),
    });
  }
  return found;
}

/** Lists the matchers that did not agree fully, those that cost most first. */
function lackingOf(definition: RuleSetDefinition, steps: Uint16Array): LackingMatcher[] {
  const { matchers } = effectiveParams(definition);
  const values = matchers.map((_, at) => (steps[at] === abstains ? null : (steps[at] ?? 0) / valueSteps));
  const { weight: voting } = weigh(
    matchers.map(({ weight }) => weight),
    values,
  );
  const scale = scoreScale(definition.params.Tmatch);
  return matchers
    .flatMap(({ id, name, weight, required }, at): LackingMatcher[] => {
      const value = values[at] ?? null;
      const isLacking = value === null ? required : value < 1;
      if (!isLacking) return [];
      const share = voting === 0 || value === null ? 0 : (scale * weight * (1 - value)) / voting;
      return [{ id, name, value: value ?? 0, weight, required, lost: Number(share.toPrecision(12)) }];
    })
    .sort((one, other) => other.lost - one.lost);
}
