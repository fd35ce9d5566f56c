import { parseExpression } from '../expression/compile';
import type { Side } from '../values/types';
import type { BlockingKeyParams, BlockingRuleParams, RuleSetParams } from '../definition/types';

/** A source of a blocking key, and the JSON pointer to it in the request body. */
export interface LocatedKey {
  path: string;
  source: string;
  /** The records that the expression is evaluated on. */
  sides: readonly Side[];
}

const sides = ['left', 'right'] as const;

/** Returns the expression of a key for the records of a side. */
export function keySource(key: BlockingKeyParams, side: Side): string {
  return key[side] ?? key.expr ?? '';
}

/** Finds the expressions of the keys of all rules, with their JSON pointers. */
export function locateKeys({ blocking = {} }: RuleSetParams): LocatedKey[] {
  const keysAt = (path: string, { keys = [], text }: BlockingRuleParams): LocatedKey[] => [
    ...(text === undefined
      ? []
      : sides.map((side) => ({ path: `${path}/text/${side}`, source: text[side], sides: [side] }))),
    ...keys.flatMap((key, at) => [
      ...(key.expr === undefined ? [] : [{ path: `${path}/keys/${at}/expr`, source: key.expr, sides }]),
      ...sides.flatMap((side) => {
        const source = key[side];
        return source === undefined ? [] : [{ path: `${path}/keys/${at}/${side}`, source, sides: [side] }];
      }),
    ]),
  ];
  const rules = (blocking.rules ?? []).flatMap((rule, at) => keysAt(`/params/blocking/rules/${at}`, rule));
  return [...keysAt('/params/blocking', blocking), ...rules];
}

/**
 * Returns an expression over `{left, right}` for the records of one side. It may name that side, as matchers do, or
 * the fields of the record alone.
 *
 * @throws ExpressionError for an expression that cannot be parsed
 */
export function sidedSource(source: string, side: Side): string {
  const { tree, references } = parseExpression(source);
  const named = references[side];
  if (named.all || named.keys.length > 0) return source;
  // A path is prefixed rather than nested, because it runs compiled then.
  const isPath = tree.type === 'path' && tree.steps?.[0]?.type === 'name';
  return isPath ? `${side}.${source}` : `${side}.(${source})`;
}
