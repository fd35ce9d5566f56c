import type { AmountReading } from '../values/decimal';
import { readAmount, signed } from '../values/decimal';
import { readDay } from '../values/calendar';
import type { DayReading } from '../values/calendar';
import { readPath } from '../values/json';
import { dayInZone } from '../values/zone';
import { textHash } from '../values/text-hash';
import type { JsonObject, MaybePromise, Side } from '../values/types';
import { compileExpression, defaultExpressionLimits } from '../expression/compile';
import { ExpressionError } from '../expression/error';
import { effort } from '../expression/limits/meter';
import { unionReferences } from '../expression/references';
import type { Expression, FieldSelection, References } from '../expression/types';
import {
  amountSigns,
  defaultTimezone,
  listedRules,
  recordKeys,
  ruleKeys,
  textRule,
  ruleName,
} from '../definition/keys';
import type {
  BlockingKeyParams,
  BlockingParams,
  BlockingRuleParams,
  RecordKeys,
  RuleSetParams,
  TextBlockingParams,
} from '../definition/types';
import { runSteps } from '../values/steps';
import type { Steps } from '../values/steps';
import { amountFits, createBlockingRule } from './blocking';
import type { BlockingRule, UnblockedReason } from './blocking';
import { keySource, sidedSource } from './key-expressions';
import { wordCodes } from './words';

/** Bound on the key values of a record in one rule: each of them is an entry of an index. */
export const maxKeyValues = 1_000;

/** The place of a record in one rule: at each of its codes, in a bucket of amounts and on a day. */
export interface RulePlace {
  /** Hashes of the values of the keys; one code without keys. */
  readonly codes: readonly number[];
  readonly bucket: number;
  readonly day: number;
  readonly amount: AmountReading;
  /** Hashes of the words that a rule of similar texts compares, ascending. */
  readonly words: readonly number[];
}

/** Similar texts: records that are among the `top` of one another, by the cosine of their words weighted by rarity. */
export interface TextRule {
  readonly top: number;
  /** Words of a larger share of all records are not compared. */
  readonly maxDocumentShare: number;
}

export interface KeyFailure {
  error: { code: string; message: string; expression: string };
  /** Share of an evaluation's allowance, 0..1. */
  effort: number;
}

/** The places of a record, one a rule; null where a rule cannot place it, for the reason of the first such rule. */
export interface Placing {
  readonly places: readonly (RulePlace | null)[];
  readonly reason: UnblockedReason | null;
  readonly failures: readonly KeyFailure[];
}

export interface ListedRule {
  readonly name: string;
  /** The conditions on amounts and dates. */
  readonly blocking: BlockingRule;
  readonly hasKeys: boolean;
  readonly text: TextRule | null;
}

/** Rules of which one has to let a pair through. Their pairs are listed, each once, before any is compared. */
export interface BlockingRules {
  readonly rules: readonly ListedRule[];
  readonly references: References;
  /** The expressions of the keys by id: `blocking/keys/0/left`, `blocking/rules/1/keys/0/expr`… */
  readonly expressions: Readonly<Record<string, Expression['mode']>>;
  /** @param rest what is open of the record's amount, in place of the amount; null: all of it */
  place(side: Side, record: JsonObject, rest?: AmountReading | null): MaybePromise<Placing>;
}

interface SidedExpression {
  id: string;
  expression: Expression;
}

type SidedKey = Record<Side, SidedExpression>;

interface CompiledBlockingRule extends ListedRule {
  keys: readonly SidedKey[];
  texts: SidedKey | null;
  paths: ReturnType<typeof ruleKeys>;
}

/**
 * Compiles the rules of blocking; null where only windows of amount and date decide.
 *
 * @throws ExpressionError for an expression that cannot be parsed
 */
export function compileBlockingRules(params: RuleSetParams): BlockingRules | null {
  const listed = listedRules(params);
  if (listed === null) return null;
  const dayIn = dayInZone(params.timezone ?? defaultTimezone);
  const signs = amountSigns(params);
  const keys = recordKeys(params);
  const rules = listed.map((rule, at) => compileRule(params, rule, at));
  const expressions = rules.flatMap(({ keys: own, texts }) =>
    [...own, ...(texts === null ? [] : [texts])].flatMap(({ left, right }) => [left, right]),
  );
  return {
    rules,
    references: unionReferences([
      ...expressions.map(({ expression }) => expression.references),
      ...rules.map(({ paths }) => pathReferences(paths)),
    ]),
    expressions: Object.fromEntries(expressions.map(({ id, expression }) => [id, expression.mode])),
    place: (side, record, rest = null) => {
      const read = ({ paths }: CompiledBlockingRule): PlaceReadings => ({
        amount:
          rest !== null && paths[side].amount === keys[side].amount
            ? rest
            : signed(readAmount(readPath(record, paths[side].amount)), signs[side]),
        day: readDay(readPath(record, paths[side].date), dayIn),
      });
      return runSteps(placeRecord(rules, side, record, read));
    },
  };
}

function compileRule(params: RuleSetParams, rule: BlockingRuleParams, at: number): CompiledBlockingRule {
  const timezone = params.timezone ?? defaultTimezone;
  const path = params.blocking?.rules === undefined ? 'blocking' : `blocking/rules/${at}`;
  const compile = (key: BlockingKeyParams, index: number, side: Side): SidedExpression => ({
    id: `${path}/keys/${index}/${key[side] === undefined ? 'expr' : side}`,
    expression: compileExpression(sidedSource(keySource(key, side), side), defaultExpressionLimits, timezone),
  });
  const compileText = (text: TextBlockingParams, side: Side): SidedExpression => ({
    id: `${path}/text/${side}`,
    expression: compileExpression(sidedSource(text[side], side), defaultExpressionLimits, timezone),
  });
  const { rules: _rules, enabled: _enabled, ...own } = { ...(rule as BlockingParams) };
  return {
    name: rule.name ?? ruleName(at),
    blocking: createBlockingRule({ ...params, blocking: own }),
    keys: (rule.keys ?? []).map((key, index) => ({
      left: compile(key, index, 'left'),
      right: compile(key, index, 'right'),
    })),
    hasKeys: rule.keys !== undefined,
    text: textRule(rule),
    texts:
      rule.text === undefined ? null : { left: compileText(rule.text, 'left'), right: compileText(rule.text, 'right') },
    paths: ruleKeys(params, rule),
  };
}

/** Returns the fields that amounts and dates are read from. A dotted path may be one key or begin with one. */
export function pathReferences(paths: Record<Side, RecordKeys>): References {
  const select = ({ amount, date }: RecordKeys): FieldSelection => ({
    all: false,
    keys: [amount, date].flatMap((path) => [path, path.split('.')[0] ?? path]),
  });
  return { left: select(paths.left), right: select(paths.right) };
}

interface PlaceReadings {
  amount: AmountReading;
  day: DayReading;
}

function* placeRecord(
  rules: readonly CompiledBlockingRule[],
  side: Side,
  record: JsonObject,
  read: (rule: CompiledBlockingRule) => PlaceReadings,
): Steps<Placing> {
  const places: (RulePlace | null)[] = [];
  const failures: KeyFailure[] = [];
  let first: UnblockedReason | null = null;
  for (const rule of rules) {
    const { amount, day } = read(rule);
    const found = rule.blocking.keyOf({ amount, day });
    const codes = 'reason' in found ? found.reason : yield* codesOf(rule.keys, side, record, failures);
    const words = typeof codes === 'string' ? codes : yield* wordsOf(rule.texts, side, record, failures);
    if ('reason' in found || typeof codes === 'string' || typeof words === 'string') {
      first ??= words as UnblockedReason;
      places.push(null);
    } else places.push({ codes, bucket: found.bucket, day: found.day, amount: inRange(amount), words });
  }
  return { places, reason: first, failures };
}

const inRange = (amount: AmountReading): AmountReading =>
  !amount.ok || amountFits(amount) ? amount : { ok: false, reason: 'out_of_range' };

/** The code of every record where no keys are compared. */
const noCode = 0;

/** Returns a code for each combination of the values of the keys: records that agree in all keys share one. */
function* codesOf(
  keys: readonly SidedKey[],
  side: Side,
  record: JsonObject,
  failures: KeyFailure[],
): Steps<number[] | UnblockedReason> {
  let codes = [noCode];
  for (const {
    [side]: { id, expression },
  } of keys) {
    let value: unknown;
    try {
      value = yield expression.evaluate({ [side]: record });
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      failures.push({ error: { code: error.code, message: error.message, expression: id }, effort: effort() });
      return 'failed_key';
    }
    const texts = new Set<string>();
    if (!addKeyTexts(value, texts)) return 'unreadable_key';
    if (texts.size === 0) return 'missing_key';
    if (texts.size * codes.length > maxKeyValues) return 'too_many_keys';
    codes = codes.flatMap((code) => Array.from(texts, (text) => textHash(`${code} ${text}`)));
  }
  return codes;
}

/** Returns the words of the text of a record; none where no texts are compared. */
function* wordsOf(
  texts: SidedKey | null,
  side: Side,
  record: JsonObject,
  failures: KeyFailure[],
): Steps<number[] | UnblockedReason> {
  if (texts === null) return [];
  const { id, expression } = texts[side];
  try {
    const value: unknown = yield expression.evaluate({ [side]: record });
    if (value === undefined || value === null || value === '') return 'missing_text';
    const given: readonly unknown[] = Array.isArray(value) ? value : [value];
    const found = given.filter((text) => typeof text === 'string' || typeof text === 'number').map(String);
    if (found.length === 0) return 'unreadable_text';
    const words = wordCodes(found);
    return words.length === 0 ? 'missing_text' : words;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    failures.push({ error: { code: error.code, message: error.message, expression: id }, effort: effort() });
    return 'failed_text';
  }
}

/** Adds the values of a key as texts that differ where values do; false for a value that cannot be compared. */
function addKeyTexts(value: unknown, texts: Set<string>): boolean {
  if (Array.isArray(value)) return value.every((item) => addKeyTexts(item, texts));
  if (value === undefined || value === null || value === '') return true;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
  texts.add(`${typeof value} ${value}`);
  return true;
}
