import {
  compileRuleSet,
  poolOf,
  readAmount,
  rescale,
  type CompositionPool,
  type CompiledComposition,
  type CompiledRuleSet,
  type CompositionParams,
  type Proposal,
  type RuleSetDefinition,
  type Side,
} from '@tieout/engine';
import type { CandidateGroup, CandidateRequest, CandidateResult, CandidatePair } from '../../kernel/ports';
import { blockedBy } from './blocked-by';
import { previewPair } from './preview';

/** Bound on the search for a group: people wait for it. */
const maxNodes = 50_000;
const maxMembers = 8;
/** Groups of one pool. */
const groupsPerPool = 2;

/** Runs in a process that may block; see Evaluator. */
export async function runCandidates(request: CandidateRequest): Promise<CandidateResult> {
  const { definition, side, item, partners } = request;
  const compiled = compileRuleSet(definition);
  const pairs: CandidatePair[] = [];
  const restOf = (rest: string | null) => (rest === null ? undefined : readAmount(rest));
  for (const partner of partners) {
    const pair = side === 'left' ? { left: item, right: partner } : { left: partner, right: item };
    const rests = { left: restOf(pair.left.rest), right: restOf(pair.right.rest) };
    const scored = await previewPair(compiled, { left: pair.left.value, right: pair.right.value }, rests);
    pairs.push({ ...scored, blocked: await blockedBy(compiled, pair) });
  }
  return { pairs, groups: request.pools.length === 0 ? [] : groupsOf(request, compiled) };
}

/** Finds groups of any dates and contents that add up to the item, and what the rule set says of each. */
function groupsOf(request: CandidateRequest, compiled: CompiledRuleSet): CandidateGroup[] {
  const { definition, side, pools } = request;
  const search = new Search(compositionOf(unfiltered(definition), side, freeSettings(definition)), request);
  const found = new Map<string, { members: number[]; proposal: Proposal }>();
  for (const pool of pools) {
    for (const one of search.groups(pool)) found.set([...one.members].sort((a, b) => a - b).join(), one);
  }
  if (found.size === 0) return [];
  const variants = variantsOf(request, compiled);
  return [...found.values()].map(({ members, proposal }) => {
    for (const { refusal, search: ofVariant } of variants) {
      const own = ofVariant.only(members);
      if (own === null) continue;
      const { score, decision, explanation } = own;
      return { members, score, explanation, refusal, decision: refusal === null ? decision : 'NO_MATCH' };
    }
    const refusal = variants.length === 0 ? 'composition' : 'threshold';
    const { score, explanation } = proposal;
    return { members, score, explanation, refusal, decision: 'NO_MATCH' };
  });
}

/** A search by the rule set, or without some of its conditions: `refusal` names those. */
interface Variant {
  refusal: CandidateGroup['refusal'];
  search: Search;
}

/** Lists what the rule set composes, and what it would compose without some of its conditions; none without groups. */
function variantsOf(request: CandidateRequest, { composition }: CompiledRuleSet): Variant[] {
  const { definition, side } = request;
  const own = definition.params.composition;
  if (own === undefined || !composition?.directions.includes(directionOf[side])) return [];
  const anyDay: CompositionParams = { ...own, dateStrategy: 'none' };
  return [
    { refusal: null, search: new Search(composition, request) },
    { refusal: 'window', search: new Search(compositionOf(definition, side, anyDay), request) },
    { refusal: 'filter', search: new Search(compositionOf(unfiltered(definition), side, unkeyed(anyDay)), request) },
  ];
}

const directionOf = { left: 'one_to_many', right: 'many_to_one' } as const;

const compositionOf = (
  definition: RuleSetDefinition,
  side: Side,
  composition: CompositionParams,
): CompiledComposition =>
  compileRuleSet({
    ...definition,
    params: { ...definition.params, composition: { ...composition, direction: directionOf[side] } },
  }).composition as CompiledComposition;

/** Leaves out what keeps a target and a member apart. */
const unfiltered = (definition: RuleSetDefinition): RuleSetDefinition => ({
  ...definition,
  jsonataExpr: definition.engine === 'jsonata' ? definition.jsonataExpr : null,
  params: { ...definition.params, filters: [] },
});

const unkeyed = ({
  matchKeys: _keys,
  groupByField: _group,
  evidence,
  ...rest
}: CompositionParams): CompositionParams => ({
  ...rest,
  ...(evidence === undefined ? {} : { evidence: { ...evidence, required: false } }),
});

/** Groups found only by amounts; those whose members the matchers favour are first. */
function freeSettings({ params: { composition, matchers = [] } }: RuleSetDefinition): CompositionParams {
  return {
    enabled: true,
    maxGroupSize: maxMembers,
    amountTolerance: composition?.amountTolerance,
    amountTolerancePercent: composition?.amountTolerancePercent,
    allowNegativeAmounts: composition?.allowNegativeAmounts,
    ...(matchers.length === 0 ? {} : { evidence: { matchers: matchers.map(({ id }, at) => id ?? `m${at + 1}`) } }),
  };
}

/** Searches for groups of one item among its partners. */
class Search {
  private readonly pool: CompositionPool;
  private readonly target: Side;

  constructor(
    private readonly composition: CompiledComposition,
    { side, item, partners }: Pick<CandidateRequest, 'side' | 'item' | 'partners'>,
  ) {
    this.target = side;
    const [items, others] = [[item], partners];
    const records = side === 'left' ? { left: items, right: others } : { left: others, right: items };
    const values = { left: records.left.map(({ value }) => value), right: records.right.map(({ value }) => value) };
    const pool = poolOf(composition, values);
    for (const one of ['left', 'right'] as const) {
      records[one].forEach(({ rest }, row) => {
        const reading = rest === null ? null : readAmount(rest);
        const units = reading?.ok === true ? rescale(reading.units, reading.scale, pool.amountScale) : null;
        if (units !== null) pool[one].units[row] = composition.signs[one] * units;
      });
    }
    this.pool = pool;
  }

  /** Returns the best group of some partners, and the best one without its first member. */
  groups(pool: readonly number[]): { members: number[]; proposal: Proposal }[] {
    const found: { members: number[]; proposal: Proposal }[] = [];
    let free = [...pool];
    while (found.length < groupsPerPool) {
      const proposal = this.propose(free);
      if (proposal === null) break;
      found.push({ members: proposal.members, proposal });
      free = free.filter((place) => place !== proposal.members[0]);
    }
    return found;
  }

  /** Returns the proposal of exactly these partners. */
  only(members: readonly number[]): Proposal | null {
    const proposal = this.propose(members);
    return proposal?.members.length === members.length ? proposal : null;
  }

  private propose(free: readonly number[]): Proposal | null {
    const others = this.pool[this.target === 'left' ? 'right' : 'left'].length;
    const taken = new Uint8Array(others).fill(1);
    for (const place of free) taken[place] = 0;
    const marks =
      this.target === 'left' ? { left: new Uint8Array(1), right: taken } : { left: taken, right: new Uint8Array(1) };
    return this.composition.open(this.pool, maxNodes).propose(directionOf[this.target], 0, marks);
  }
}
