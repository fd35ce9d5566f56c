import type { BlockingForm, BlockingRuleForm, RuleParams } from '../../api/rules';
import type { Count, Formats, Texts } from '../../text';

const shared = ['amountKey', 'amountKeyLeft', 'amountKeyRight', 'dateKey', 'dateKeyLeft', 'dateKeyRight'] as const;

/** The conditions of blocking without ways, or those of a way, without its name. */
export type BlockingConditions = Omit<BlockingRuleForm, 'name'>;

const only = <O extends object>(from: O, isWanted: (name: string) => boolean): O =>
  Object.fromEntries(Object.entries(from).filter(([name]) => isWanted(name))) as O;

const isShared = (name: string): boolean => (shared as readonly string[]).includes(name);

/** Converts blocking by one set of conditions to blocking by ways, whose first way has these conditions. */
export function asWays(blocking: BlockingForm, name: string): BlockingForm {
  const keys = only(blocking, isShared);
  const { enabled: _enabled, rules: _rules, ...conditions } = only(blocking, (one) => !isShared(one));
  return {
    ...(blocking.enabled === undefined ? {} : { enabled: blocking.enabled }),
    ...keys,
    rules: [{ name, ...conditions }],
  };
}

/** Removes one way. The last remaining way stays a way; without any, blocking has conditions again. */
export function withoutWay({ rules: ways = [], ...rest }: BlockingForm, at: number): BlockingForm {
  const left = ways.filter((_, place) => place !== at);
  return left.length === 0 ? rest : { ...rest, rules: left };
}

/** Converts blocking by a single way to blocking by its conditions. */
export function asConditions({ rules: ways = [], ...rest }: BlockingForm): BlockingForm {
  const { name: _name, ...conditions } = ways[0] ?? {};
  return { ...rest, ...conditions };
}

/** Says in words which pairs conditions let through. */
export function saysOf(
  conditions: BlockingConditions,
  params: Pick<RuleParams, 'windowDays' | 'amountTolerance' | 'amountTolerancePercent'>,
  { texts, formats }: { texts: Texts['rules']['says']; formats: Pick<Formats, 'number' | 'counted'> },
): string[] {
  const { keys = [], text, dateFromDays, dateToDays } = conditions;
  const days = conditions.dateToleranceDays ?? params.windowDays;
  const percent = conditions.amountTolerancePercent ?? params.amountTolerancePercent;
  const amount = conditions.amountTolerance ?? params.amountTolerance;
  const number = (value: number): string => formats.number(value);
  const counted = (value: number): Count => ({ value, text: number(value) });
  const says: string[] = [];
  if (dateFromDays !== undefined || dateToDays !== undefined)
    says.push(texts.between(number(dateFromDays ?? -(days ?? 0)), counted(dateToDays ?? days ?? 0)));
  else if (days !== undefined) says.push(texts.days(counted(days)));
  if (percent !== undefined) says.push(texts.amount(number(percent)));
  if (amount !== undefined) says.push(texts.absolute(number(amount)));
  if (keys.length > 0) says.push(texts.keys(formats.counted(keys.length)));
  if (text) says.push(texts.text(formats.counted(text.top ?? 15)));
  return says;
}
