import type { References } from '../expression/types';
import { effectiveParams } from '../definition/defaults';
import type { EffectiveComposition } from '../definition/defaults';
import type { Issue, RuleSetDefinition } from '../definition/types';
import type { Side } from '../values/types';
import { compositeDirections } from './settings';

const bothSides = ['left', 'right'] as const;

/** Returns the fields that composition reads; none while it is off. */
export function compositionReferences(def: RuleSetDefinition): References {
  const { composition } = effectiveParams(def);
  const keys = (side: Side): string[] => (composition.enabled ? pathsOf(composition, side).flatMap(keysOf) : []);
  return { left: { all: false, keys: keys('left') }, right: { all: false, keys: keys('right') } };
}

/** Returns the keys that a dotted path may mean: the whole path or its first step. */
function keysOf(path: string): string[] {
  return [path, path.split('.')[0] ?? path];
}

function pathsOf(composition: EffectiveComposition, side: Side): string[] {
  const {
    groupByField,
    installmentDiscovery: { totalCountField, unitValueField },
  } = composition;
  const left = side === 'left';
  const group = manySides(composition).includes(side) ? groupByField : undefined;
  return [
    left ? composition.amountFieldLeft : composition.amountFieldRight,
    left ? composition.dateFieldLeft : composition.dateFieldRight,
    group,
    totalCountField,
    unitValueField,
    ...composition.matchKeys.map((paths) => paths[side]),
  ].filter((path) => path !== undefined);
}

function manySides(composition: EffectiveComposition): Side[] {
  return compositeDirections(composition.direction).map((direction) =>
    direction === 'one_to_many' ? 'right' : 'left',
  );
}

/**
 * A field that a parameter names, and the sides whose datasets have to declare it; with `either` one of them
 * suffices.
 */
interface NamedField {
  /** Path of the parameter inside composition, such as `matchKeys/0/left`. */
  key: string;
  path: string | undefined;
  sides: readonly Side[];
  either?: boolean;
}

/** Lists the fields that composition reads by the parameters that name them, also by default; none while it is off. */
export function namedCompositionFields(def: RuleSetDefinition): NamedField[] {
  const { composition } = effectiveParams(def);
  if (!composition.enabled) return [];
  const { totalCountField, unitValueField } = composition.installmentDiscovery;
  return [
    { key: 'amountField', path: composition.amountFieldLeft, sides: ['left'] },
    { key: 'amountField', path: composition.amountFieldRight, sides: ['right'] },
    { key: 'dateFieldLeft', path: composition.dateFieldLeft, sides: ['left'] },
    { key: 'dateFieldRight', path: composition.dateFieldRight, sides: ['right'] },
    { key: 'groupByField', path: composition.groupByField, sides: manySides(composition) },
    ...composition.matchKeys.flatMap(({ left, right }, at): NamedField[] => [
      { key: `matchKeys/${at}/left`, path: left, sides: ['left'] },
      { key: `matchKeys/${at}/right`, path: right, sides: ['right'] },
    ]),
    { key: 'installmentDiscovery/totalCountField', path: totalCountField, sides: bothSides, either: true },
    { key: 'installmentDiscovery/unitValueField', path: unitValueField, sides: bothSides, either: true },
  ];
}

/**
 * Returns an issue for each field that composition names and a dataset does not declare. Fields that default to
 * those of blocking are not named.
 */
export function undeclaredCompositionFields(
  def: RuleSetDefinition,
  declared: Readonly<Record<Side, ReadonlySet<string>>>,
): Issue[] {
  const given: Partial<Record<string, unknown>> = { ...def.params.composition };
  const fields = namedCompositionFields(def).filter(({ key }) => given[key.split('/')[0] ?? key] !== undefined);
  return fields.flatMap(({ key, path, sides, either = false }) => {
    if (path === undefined) return [];
    const missing = sides.filter((side) => !keysOf(path).some((one) => declared[side].has(one)));
    if (either && missing.length < sides.length) return [];
    return missing.map((side) => ({
      path: `/params/composition/${key}`,
      code: 'undeclared_field',
      message: `names ${side}.${path}, which the ${side} dataset does not declare`,
      token: path,
    }));
  });
}
