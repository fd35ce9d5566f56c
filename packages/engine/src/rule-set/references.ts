import { compositionReferences, undeclaredCompositionFields } from '../composition';
import { locateKeys, sidedSource } from '../blocking/key-expressions';
import { parseExpression } from '../expression/compile';
import { ExpressionError } from '../expression/error';
import { isSnapshotKey } from '../expression/snapshot-values';
import { unionReferences } from '../expression/references';
import type { References } from '../expression/types';
import type { Side } from '../values/types';
import type { Issue, RuleSetDefinition } from '../definition/types';

/** An expression of a rule set, and the JSON pointer to it in the request body. */
export interface LocatedExpression {
  path: string;
  source: string;
}

export interface DeclaredFields {
  left: ReadonlySet<string>;
  right: ReadonlySet<string>;
}

export function locateExpressions(def: RuleSetDefinition): LocatedExpression[] {
  return [
    ...(def.jsonataExpr === null ? [] : [{ path: '/jsonataExpr', source: def.jsonataExpr }]),
    ...(def.params.matchers ?? []).map((matcher, index) => ({
      path: `/params/matchers/${index}/expr`,
      source: matcher.expr,
    })),
    ...(def.params.filters ?? []).map((source, index) => ({ path: `/params/filters/${index}`, source })),
  ];
}

/**
 * Returns the fields that a rule set reads: those of the gate or main expression, the matchers, the filters and
 * composition.
 *
 * @throws ExpressionError for an expression that cannot be parsed
 */
export function ruleSetReferences(def: RuleSetDefinition): References {
  return unionReferences([
    ...locateExpressions(def).map(({ source }) => parseExpression(source).references),
    ...locateKeys(def.params).flatMap(({ source, sides }) =>
      sides.map((side) => parseExpression(sidedSource(source, side)).references),
    ),
    compositionReferences(def),
  ]);
}

/**
 * Returns an issue for each field that an expression or composition names and its dataset does not declare.
 * `validateRuleSet` reports expressions that cannot be parsed.
 */
export function undeclaredReferences(def: RuleSetDefinition, declared: DeclaredFields): Issue[] {
  const inExpressions = locateExpressions(def).flatMap(({ path, source }) => {
    const references = parsedReferences(source);
    if (references === null) return [];
    return (['left', 'right'] as const).flatMap((side) => undeclaredOn(side, references, declared, path));
  });
  const inKeys = locateKeys(def.params).flatMap(({ path, source, sides }) =>
    parsedReferences(source) === null
      ? []
      : sides.flatMap((side) =>
          undeclaredOn(side, parseExpression(sidedSource(source, side)).references, declared, path),
        ),
  );
  return [...inExpressions, ...inKeys, ...undeclaredCompositionFields(def, declared)];
}

function undeclaredOn(side: Side, references: References, declared: DeclaredFields, path: string): Issue[] {
  return references[side].keys
    .filter((key) => !isSnapshotKey(key) && !declared[side].has(key))
    .map((key) => ({
      path,
      code: 'undeclared_field',
      message: `names ${side}.${key}, which the ${side} dataset does not declare`,
      token: key,
    }));
}

function parsedReferences(source: string): References | null {
  try {
    return parseExpression(source).references;
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}
