import type { CostClass } from '../plan/pair-plan';
import { asCondition, isBooleanLike, isNumeric } from './emitted';
import type { Emitted } from './emitted';
import { dropPair } from './loop-body';
import type { LoopBody } from './loop-body';
import { maxTableMatchers, scoreReach, scoreTables } from './score-tables';
import type { LoopRules } from './types';

/** Bounds on the matchers in the loop. More of them move into functions: V8 optimises no function of any length. */
const maxMatchersInLoop = 64;
const matchersPerPart = 32;

/** The source of one matcher. */
export interface MatcherSource {
  index: number;
  result: Emitted;
  lines: string;
  /** True if evaluating it or reading its result may throw. */
  isFallible: boolean;
}

/** The rules that decide a score; `order` is the order in which the loop evaluates. */
type OrderedRules = Pick<LoopRules, 'scale' | 'possibleThreshold' | 'weights' | 'required' | 'order'>;

interface ScoreWriter {
  /** Writes the reading of a matcher's result; a pair that cannot reach the threshold any more is dropped. */
  add(step: number, matcher: number, result: Emitted): void;
  /** Writes the score and what keeps the pair. */
  keep(): void;
}

/** Writes the matchers of the loop and the score that they make. */
export function writeScore(body: LoopBody, given: LoopRules, matchers: readonly MatcherSource[]): void {
  const sources = inOrderOfCost(matchers, given.costs);
  const rules = { ...given, order: sources.map(({ index }) => index) };
  const scores = createScoreWriter(body, rules, sources);
  for (const [step, { index, result, lines }] of sources.entries()) {
    body.push(lines);
    scores.add(step, index, result);
  }
  scores.keep();
}

function createScoreWriter(body: LoopBody, rules: OrderedRules, sources: readonly MatcherSource[]): ScoreWriter {
  const onlyBits = sources.length <= maxTableMatchers && sources.every(({ result }) => isBooleanLike(result));
  if (onlyBits) return tableScores(body, rules);
  return sources.length > maxMatchersInLoop ? scoresInParts(body, rules) : computedScores(body, rules);
}

/**
 * Orders matchers by cost as long as no decision depends on it. A pair that is decided before a matcher fails is not an
 * error: the matchers before each one that may throw stay before it, and those between two such are in any order.
 */
function inOrderOfCost(given: readonly MatcherSource[], costs: readonly CostClass[]): MatcherSource[] {
  const costOf = ({ index }: MatcherSource): CostClass => costs[index] ?? 0;
  const ordered: MatcherSource[] = [];
  let free: MatcherSource[] = [];
  const orderFree = (): void => {
    ordered.push(...free.sort((one, other) => costOf(one) - costOf(other)));
    free = [];
  };
  for (const source of given) {
    if (source.isFallible) {
      orderFree();
      ordered.push(source);
    } else free.push(source);
  }
  orderFree();
  return ordered;
}

/** Scores matchers that all return true or false: every outcome is in a table. */
function tableScores(body: LoopBody, rules: OrderedRules): ScoreWriter {
  const { scores, outOfReach } = scoreTables(rules);
  const table = body.slot(scores);
  body.push('let bits = 0;');
  /** The outcomes that are still possible. */
  let alive = [0];
  return {
    add: (step, index, result) => {
      const condition = asCondition(result, 'passes');
      const bit = 2 ** index;
      const reach = outOfReach[step];
      const survives = (bits: number): boolean => reach?.[bits] !== 1;
      const without = rules.required[index] === true ? [] : alive.filter(survives);
      const withBit = alive.map((bits) => bits + bit);
      if (without.length === 0) {
        body.dropUnless(condition);
        body.push(`bits |= ${bit};`);
      } else {
        body.push(`if (${condition}) bits |= ${bit};`);
      }
      const reaching = [...without, ...withBit.filter(survives)];
      if (reaching.length < without.length + withBit.length || (without.length > 0 && without.length < alive.length)) {
        body.dropUnless(`${body.slot(reach)}[bits] === 0`);
      }
      alive = reaching;
    },
    keep: () => {
      body.keep(`${table}[bits]`, 'keeper.keepBits(left, right, score, bits);');
    },
  };
}

/**
 * Scores matchers that may abstain or return a share. Running sums in the order of evaluation decide the reach, the
 * sums of `weigh` decide the score.
 */
function computedScores(body: LoopBody, rules: OrderedRules): ScoreWriter {
  const { order, weights } = rules;
  const weightSlots = weights.map((weight) => body.slot(weight));
  const vote = voteWriter(body, rules, { weightSlots, leave: dropPair });
  const inDefinitionOrder = order.every((index, step) => index === step);
  body.push('let weight = 0; let weighted = 0;');
  return {
    add: (step, index, result) => {
      body.push(vote(step, index, result));
    },
    keep: () => {
      if (!inDefinitionOrder)
        body.push('weight = 0; weighted = 0;', ...weightSlots.map((slot, index) => sumLine(`v${index}`, slot)));
      keepSums(body, rules, weights.map((_, index) => `keeper.values[${index}] = v${index};`).join(' '));
    },
  };
}

/** Scores many matchers, like `computedScores`, in functions of a few matchers each. */
function scoresInParts(body: LoopBody, rules: OrderedRules): ScoreWriter {
  const { weights } = rules;
  const weightSlots = weights.map((weight) => body.slot(weight));
  const vote = voteWriter(body, rules, { weightSlots, leave: 'return false;' });
  body.push('weight = 0; weighted = 0;');
  const before = body.takeLines();
  const endPart = (): void => {
    const name = `part${body.parts.length}`;
    body.parts.push(`function ${name}(left, right) {\n${body.takeLines().join('\n')}\nreturn true;\n}`);
    before.push(`if (!${name}(left, right)) ${dropPair}`);
  };
  return {
    add: (step, index, result) => {
      body.push(vote(step, index, result), `values[${index}] = v${index};`);
      if ((step + 1) % matchersPerPart === 0) endPart();
    },
    keep: () => {
      endPart();
      const sum = sumLine('value', `${body.slot(weights)}[index]`);
      body.push(
        ...before,
        'weight = 0; weighted = 0;',
        `for (let index = 0; index < ${weights.length}; index++) { const value = values[index]; ${sum} }`,
      );
      keepSums(body, rules, '');
    },
  };
}

/** Writes the reading of a matcher into `v`; `leave` ends a pair that the matcher decides. */
function voteWriter(
  body: LoopBody,
  rules: OrderedRules,
  { weightSlots, leave }: { weightSlots: readonly string[]; leave: string },
): (step: number, index: number, result: Emitted) => string {
  const { scale, required } = rules;
  const reach = scoreReach(rules);
  const limit = body.slot(reach.limit);
  return (step, index, result) => {
    const lines = [`const v${index} = ${shareOf(result)};`];
    if (required[index] === true) lines.push(`if (!(v${index} > 0)) ${leave}`);
    lines.push(sumLine(`v${index}`, weightSlots[index] ?? ''));
    if (step < weightSlots.length - 1) {
      const open = body.slot(reach.openWeights[step]);
      const best = `(${scale} * (weighted + ${open})) / (weight + ${open})`;
      lines.push(`if ((weight + ${open} === 0 ? 0 : ${best}) < ${limit}) ${leave}`);
    }
    return lines.join('\n');
  };
}

function keepSums(body: LoopBody, { scale }: OrderedRules, statement: string): void {
  body.keep(
    `weight === 0 ? 0 : roundScore((${scale} * weighted) / weight, ${scale})`,
    `${statement} keeper.keep(left, right, score);`,
  );
}

/** Writes the sums of a value; NaN abstains. */
function sumLine(value: string, weight: string): string {
  return `if (${value} === ${value}) { weight += ${weight}; weighted += ${weight} * ${value}; }`;
}

/** Writes a matcher's result as a share of 0..1; NaN where it abstains. */
function shareOf(result: Emitted): string {
  const { code } = result;
  if (isBooleanLike(result)) return `${asCondition(result, 'passes')} ? 1 : 0`;
  // NaN is the missing value here, which is not a share.
  if (isNumeric(result)) return `${code} > 0 ? Math.min(${code}, 1) : 0`;
  const scalars = `${code} === true ? 1 : ${code} === false || ${code} === undefined ? 0`;
  return `${scalars} : ${code} === null ? NaN : matcherShare(${code})`;
}
