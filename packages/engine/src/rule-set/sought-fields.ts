import { namedCompositionFields } from '../composition';
import { effectiveParams } from '../definition/defaults';
import type { RuleSetDefinition } from '../definition/types';
import { isSnapshotKey } from '../expression/snapshot-values';
import { mainExpressionId } from '../scoring/comparison';
import type { NamedExpression } from '../scoring/comparison';
import type { Side } from '../values/types';

/** A field that a rule set reads, and the parameter that names it. */
export interface SoughtField {
  /** Such as `params.composition.matchKeys[0].left` or `params.filters[0]`. */
  parameter: string;
  field: string;
  /** The sides on which it is read; of several, one with the field suffices. */
  sides: readonly Side[];
  /** True if nothing is found without it; else a record may lack it on purpose. */
  isNeeded: boolean;
}

/** Lists the fields that composition and the expressions read. */
export function soughtFields(def: RuleSetDefinition, expressions: readonly NamedExpression[]): SoughtField[] {
  const { composition } = effectiveParams(def);
  const evidence = new Set(composition.enabled ? composition.evidence?.matchers : []);
  const composed = namedCompositionFields(def).flatMap(({ key, path, sides, either }): SoughtField[] => {
    if (path === undefined || !isRead(key, composition)) return [];
    const parameter = `params.composition.${key.replace(/\/(\d+)/g, '[$1]').replaceAll('/', '.')}`;
    const apart = either ? [sides] : sides.map((side) => [side]);
    return apart.map((of) => ({ parameter, field: path, sides: of, isNeeded: true }));
  });
  const inExpressions = expressions.flatMap(({ id, expression: { references } }) =>
    (['left', 'right'] as const).flatMap((side) =>
      references[side].keys
        .filter((key) => !isSnapshotKey(key))
        .map((field) => ({ parameter: parameterOf(id), field, sides: [side], isNeeded: evidence.has(id) })),
    ),
  );
  return [...composed, ...inExpressions];
}

/** Dates decide nothing without a strategy, and the fields of plans nothing where plans are not looked for. */
function isRead(key: string, composition: ReturnType<typeof effectiveParams>['composition']): boolean {
  if (key.startsWith('dateField')) return composition.dateStrategy !== 'none';
  return !key.startsWith('installmentDiscovery') || composition.installmentDiscovery.enabled;
}

function parameterOf(id: string): string {
  if (id === mainExpressionId) return id;
  const filter = /^filters\/(\d+)$/.exec(id);
  return filter === null ? `matcher ${id}` : `params.filters[${filter[1]}]`;
}
