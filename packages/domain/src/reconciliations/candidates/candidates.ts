import type { RuleSetDefinition, Side } from '@tieout/engine';
import type { CandidatePair, CandidateResult, PreviewPairResult } from '../../kernel/ports';
import type { TenantScope } from '../../kernel/scope';
import { definitionOf, listedRuleSets, withRarities, type RuleSet } from '../../rules/rule-sets';
import { sideNumber } from '../../results/unmatched';
import { decimalOf, unitsOf } from '../amounts';
import { getReconciliation, isNetting, paramsOfPass, type Reconciliation } from '../definition';
import { latestRunOf, reasonsInRun } from '../items/proposals';
import { openItemOf, partnersOf, type ItemOfRecord, type Partner } from './partners';
import { missedBy, type RefusalReason } from './refusals';
import { refusedByPeople } from './refused-by-people';

/** The verdict of a pass on a candidate. */
export interface PassVerdict {
  ruleSetId: string;
  ruleSetName: string;
  decision: PreviewPairResult['decision'];
  score: number | null;
  explanation: PreviewPairResult['explanation'];
  /** The reason why the pass has not tied the candidate. */
  refusal: RefusalReason;
}

/** Records that may belong to an open item. */
export interface ItemCandidate {
  kind: 'pair' | 'group';
  /** Likelihood, 0..1, that the records belong to the item, by score, amount, days and shared words. */
  likeness: number;
  records: ItemOfRecord[];
  /** The rest of the item less the rests of the records, as a decimal text; null without amounts. */
  difference: string | null;
  /** Days between the item and the record furthest from it; null without dates. */
  days: number | null;
  sharedWords: string[];
  /** The best verdict first. */
  verdicts: PassVerdict[];
}

/** Max passes that one request asks, and max partners that each pass scores. */
const maxPasses = 8;
const maxScored = 60;
/** Max partners of a pool from which groups are made. */
const maxPooled = 40;

/**
 * Lists what most likely belongs to an open item: open items of the other side and groups of them that add up to it,
 * regardless of the windows of the passes, each with the verdicts of the passes. The cost does not depend on the number
 * of open items.
 * @throws AppError reconciliation_not_found, record_not_found, evaluation_timeout, expression_memory
 */
export async function candidatesOf(
  scope: TenantScope,
  reconciliationId: string,
  { recordId, limit }: { recordId: string; limit: number },
): Promise<ItemCandidate[]> {
  const reconciliation = await getReconciliation(scope, reconciliationId);
  const item = await openItemOf(scope, reconciliationId, recordId.toLowerCase());
  const passes = await passesOf(scope, reconciliation);
  const other: Side = item.side === 'left' ? 'right' : 'left';
  const found: ItemCandidate[] = [];
  const sign = reconciliation.amountSign === 'opposite' ? -1n : 1n;
  const across = passes.filter(({ ruleSet }) => !isNetting(ruleSet));
  found.push(...(await candidatesOn(scope, { reconciliation, item, side: other, sign, passes: across })));
  const netting = passes.filter(({ ruleSet }) => isNetting(ruleSet) && ruleSet.leftDatasetId === item.datasetId);
  if (netting.length > 0) {
    found.push(
      ...(await candidatesOn(scope, { reconciliation, item, side: item.side, sign: -1n, passes: netting })).filter(
        ({ verdicts }) => verdicts.some(({ refusal }) => refusal !== 'no_pass'),
      ),
    );
  }
  const likeliest = found.sort((one, two) => two.likeness - one.likeness).slice(0, limit);
  return afterDecisions(scope, { reconciliation, item, candidates: likeliest });
}

interface PassOfItem {
  ruleSet: RuleSet;
  definition: RuleSetDefinition;
}

async function passesOf(scope: TenantScope, reconciliation: Reconciliation): Promise<PassOfItem[]> {
  const ruleSets = await listedRuleSets(
    scope,
    reconciliation.ruleSetIds.map((id) => ({ id })),
  );
  return ruleSets.map((ruleSet) => ({
    ruleSet,
    definition: { ...definitionOf(ruleSet), params: paramsOfPass(ruleSet, reconciliation) },
  }));
}

interface SideToSearch {
  reconciliation: Reconciliation;
  item: Awaited<ReturnType<typeof openItemOf>>;
  side: Side;
  /** -1 where amounts that belong together have opposite signs. */
  sign: 1n | -1n;
  passes: readonly PassOfItem[];
}

async function candidatesOn(scope: TenantScope, search: SideToSearch): Promise<ItemCandidate[]> {
  const { reconciliation, item, side, sign, passes } = search;
  const rest = unitsOf(item.remaining);
  const amount = rest === null ? null : decimalOf(sign * rest);
  const partners = (await partnersOf(scope, { reconciliation, item, side: sideNumber[side], amount }))
    .map((partner) => ({ partner, likeness: likenessOf(search, [partner], null) }))
    .sort((one, two) => two.likeness - one.likeness)
    .map(({ partner }) => partner);
  const scored = partners.slice(0, maxScored);
  const pairs = new Map<Partner, PassVerdict[]>(scored.map((partner) => [partner, []]));
  const groups = new Map<string, { members: Partner[]; verdicts: PassVerdict[] }>();
  const asked = passes.filter(({ ruleSet }) => datasetOf(ruleSet, item.side) === item.datasetId).slice(0, maxPasses);
  for (const pass of asked) {
    const own = partners.filter(({ datasetId }) => datasetId === datasetOf(pass.ruleSet, side));
    if (own.length === 0) continue;
    await ask(scope, search, { pass, own: own.slice(0, maxScored), pairs, groups });
  }
  return [
    ...[...pairs].map(([partner, verdicts]) => candidateOf(search, 'pair', [partner], verdicts)),
    ...[...groups.values()].map(({ members, verdicts }) => candidateOf(search, 'group', members, verdicts)),
  ];
}

/** Returns the dataset of a side of a pass; a netting pass has one for both. */
const datasetOf = ({ leftDatasetId, rightDatasetId }: RuleSet, side: Side): string =>
  side === 'left' ? leftDatasetId : rightDatasetId;

interface Asked {
  pass: PassOfItem;
  own: readonly Partner[];
  pairs: Map<Partner, PassVerdict[]>;
  groups: Map<string, { members: Partner[]; verdicts: PassVerdict[] }>;
}

/** Lets a pass score the partners of its dataset, and groups of them. */
async function ask(
  scope: TenantScope,
  { item, sign }: SideToSearch,
  { pass, own, pairs, groups }: Asked,
): Promise<void> {
  const { ruleSet, definition } = pass;
  const netting = isNetting(ruleSet);
  const others = own.map(({ record }) => record);
  const rated = await withRarities(scope, {
    definition,
    datasets: { left: ruleSet.leftDatasetId, right: ruleSet.rightDatasetId },
    records: item.side === 'left' ? { left: [item.record], right: others } : { left: others, right: [item.record] },
  });
  const [value = item.record] = rated[item.side];
  const ratedOthers = rated[item.side === 'left' ? 'right' : 'left'];
  const request = {
    definition,
    side: item.side,
    item: { value, rest: item.remaining },
    partners: own.map(({ record, remaining }, at) => ({ value: ratedOthers[at] ?? record, rest: remaining })),
    pools: netting ? [] : poolsOf(item, own, sign),
  };
  const result: CandidateResult = await scope.evaluator.candidates(request);
  const named = { ruleSetId: ruleSet.id, ruleSetName: ruleSet.name };
  own.forEach((partner, at) => {
    const pair = result.pairs[at] as CandidatePair;
    const refusal = missedBy(pair) ?? 'competition';
    const { score, explanation } = pair;
    const decision = refusal === 'competition' || refusal === 'threshold' ? pair.decision : decisionOutsidePass(pair);
    pairs.get(partner)?.push({ ...named, decision, score, explanation, refusal });
  });
  for (const { members, refusal, ...group } of result.groups) {
    const records = members.map((at) => own[at] as Partner);
    const key = records
      .map(({ recordId }) => recordId)
      .sort()
      .join();
    const known = groups.get(key) ?? { members: records, verdicts: [] };
    const missed = group.decision === 'POSSIBLE' ? 'threshold' : 'competition';
    known.verdicts.push({ ...named, ...group, refusal: refusal ?? missed });
    groups.set(key, known);
  }
}

/** A pair that the pass does not compare is no MATCH, whatever its score. */
const decisionOutsidePass = ({ decision }: PreviewPairResult): PreviewPairResult['decision'] =>
  decision === 'ERROR' ? decision : 'NO_MATCH';

/** Chooses the pools from which groups are made: partners that share words with the item, and those of near days. */
function poolsOf(item: ItemOfRecord, own: readonly Partner[], sign: 1n | -1n): number[][] {
  const rest = unitsOf(item.remaining);
  if (rest === null || rest === 0n) return [];
  const isPart = ({ remaining }: Partner): boolean => {
    const units = unitsOf(remaining);
    if (units === null || units === 0n) return false;
    const part = sign * units;
    return rest > 0n ? part > 0n && part < rest : part < 0n && part > rest;
  };
  const places = own.flatMap((partner, at) => (isPart(partner) ? [{ partner, at }] : []));
  const named = places.filter(({ partner }) => partner.sharedWords.length > 0).slice(0, maxPooled);
  const near = [...places]
    .sort((one, two) => (daysBetween(item, one.partner) ?? 1e9) - (daysBetween(item, two.partner) ?? 1e9))
    .slice(0, maxPooled);
  return [named, near].filter(({ length }) => length > 1).map((pool) => pool.map(({ at }) => at));
}

function candidateOf(
  search: SideToSearch,
  kind: ItemCandidate['kind'],
  partners: readonly Partner[],
  verdicts: PassVerdict[],
): ItemCandidate {
  const best = [...verdicts].sort((one, two) => rankOf(two) - rankOf(one));
  const { item, sign } = search;
  const rest = unitsOf(item.remaining);
  const sum = sumOf(partners);
  const days = partners.map((partner) => daysBetween(item, partner)).filter((one) => one !== null);
  return {
    kind,
    likeness: likenessOf(search, partners, best[0] ?? null),
    records: partners.map(({ sharedWords: _words, ...record }) => record),
    difference: rest === null || sum === null ? null : decimalOf(rest - sign * sum),
    days: days.length === 0 ? null : Math.max(...days),
    sharedWords: [...new Set(partners.flatMap(({ sharedWords }) => sharedWords))],
    verdicts: best,
  };
}

const decisionRank = { MATCH: 2, POSSIBLE: 1, NO_MATCH: 0, ERROR: -1 };
const rankOf = ({ decision, score }: PassVerdict): number => decisionRank[decision] * 1_000 + (score ?? 0);

function sumOf(partners: readonly Partner[]): bigint | null {
  const units = partners.map(({ remaining }) => unitsOf(remaining));
  return units.includes(null) ? null : (units as bigint[]).reduce((sum, one) => sum + one, 0n);
}

const msPerDay = 86_400_000;

function daysBetween(one: ItemOfRecord, two: ItemOfRecord): number | null {
  if (one.date === null || two.date === null) return null;
  return Math.abs(Math.round((Date.parse(one.date) - Date.parse(two.date)) / msPerDay));
}

/** Weights of the signs that records belong together. An amount that is off by a tenth or more counts as 0. */
const weights = { score: 0.35, amount: 0.35, words: 0.2, days: 0.1 };

function likenessOf({ item, sign }: SideToSearch, partners: readonly Partner[], verdict: PassVerdict | null): number {
  const [rest, sum] = [unitsOf(item.remaining), sumOf(partners)];
  const gap = rest === null || sum === null || rest === 0n ? 1 : Math.abs(Number(rest - sign * sum) / Number(rest));
  const amount = gap === 0 ? 1 : Math.max(0, 0.8 - gap * 8);
  const shared = Math.min(...partners.map(({ sharedWords }) => sharedWords.length));
  const furthest = Math.max(...partners.map((partner) => daysBetween(item, partner) ?? 365));
  const scale = verdict?.score !== null && (verdict?.score ?? 0) > 1 ? 100 : 1;
  const likeness =
    weights.score * ((verdict?.score ?? 0) / scale) +
    weights.amount * amount +
    weights.words * Math.min(1, shared / 2) +
    weights.days / (1 + furthest / 7);
  // Fewer records are likelier.
  return Math.round((likeness / (1 + 0.02 * (partners.length - 1))) * 1e4) / 1e4;
}

/** Corrects the refusal `competition` where people have rejected the records, or the latest run has not seen them. */
async function afterDecisions(
  scope: TenantScope,
  of: { reconciliation: Reconciliation; item: ItemOfRecord; candidates: ItemCandidate[] },
): Promise<ItemCandidate[]> {
  const { reconciliation, item, candidates } = of;
  const open = candidates.filter(({ verdicts }) => verdicts.some(({ refusal }) => refusal === 'competition'));
  if (open.length === 0) return candidates;
  const named = [item, ...open.flatMap(({ records }) => records)].map(({ recordId, side }) => ({
    recordId,
    side: sideNumber[side],
  }));
  const run = await latestRunOf(scope, reconciliation);
  const seen = run && (await reasonsInRun(scope, run.jobId, named));
  const sets = open.map(({ records }) => [item.recordId, ...records.map(({ recordId }) => recordId)]);
  const refused = await refusedByPeople(scope, reconciliation.id, sets);
  open.forEach(({ verdicts }, at) => {
    const isSeen = (sets[at] as string[]).every((id) => seen?.has(id));
    for (const verdict of verdicts) {
      if (verdict.refusal !== 'competition') continue;
      if (refused[at] === true) verdict.refusal = 'rejected';
      else if (!isSeen) verdict.refusal = 'not_run';
    }
  });
  return candidates;
}
