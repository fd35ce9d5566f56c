import { minAmountScale, rescale } from '../values/decimal';
import type { AmountReading } from '../values/decimal';
import type { JsonObject, Side } from '../values/types';
import { maxComposedUnits } from './limits';
import type { CompiledComposition, CompositionFacts, CompositionPool, CompositionSide } from './types';

/** Makes a pool of few records, in the order given. */
export function poolOf(
  composition: CompiledComposition,
  records: Record<Side, readonly JsonObject[]>,
): CompositionPool {
  const facts = {
    left: records.left.map((record) => composition.read('left', record)),
    right: records.right.map((record) => composition.read('right', record)),
  };
  const readings = [...facts.left, ...facts.right].flatMap(({ amount, unitValue }) => [amount, unitValue]);
  const amountScale = Math.max(minAmountScale, ...readings.map((reading) => (reading.ok ? reading.scale : 0)));
  const codes = new Map<string, number>();
  const numbers = { matchKey: new Map<string, number>(), related: new Map<string, number>() };
  const column = (records: readonly CompositionFacts[], name: 'matchKey' | 'related'): Int32Array =>
    Int32Array.from(records, (one) => {
      const text = one[name];
      if (text === null) return -1;
      if (!numbers[name].has(text)) numbers[name].set(text, numbers[name].size);
      return numbers[name].get(text) as number;
    });
  const side = (records: readonly CompositionFacts[]): CompositionSide => ({
    ...sideOf(records, amountScale, codes),
    ...(composition.isKeyed ? { matchKey: column(records, 'matchKey') } : {}),
    ...(records.some(({ related }) => related !== null) ? { related: column(records, 'related') } : {}),
    content: Float64Array.from(records, ({ content }) => content),
  });
  const [left, right] = [side(facts.left), side(facts.right)];
  return { left, right, amountScale, groupNames: [...codes.keys()], related: [...numbers.related.keys()] };
}

function sideOf(facts: readonly CompositionFacts[], amountScale: number, codes: Map<string, number>): CompositionSide {
  const units = (reading: AmountReading): number => {
    const scaled = reading.ok ? rescale(reading.units, reading.scale, amountScale) : null;
    return scaled === null || Math.abs(scaled) > maxComposedUnits ? NaN : scaled;
  };
  const code = (group: string | null): number => {
    if (group === null) return -1;
    if (!codes.has(group)) codes.set(group, codes.size);
    return codes.get(group) as number;
  };
  return {
    length: facts.length,
    units: Float64Array.from(facts, ({ amount }) => units(amount)),
    day: Int32Array.from(facts, ({ day }) => day),
    group: Int32Array.from(facts, ({ group }) => code(group)),
    totalCount: Int32Array.from(facts, ({ totalCount }) => totalCount ?? 0),
    position: Int32Array.from(facts, ({ position }) => position ?? 0),
    unitValue: Float64Array.from(facts, ({ unitValue }) => units(unitValue)),
  };
}
