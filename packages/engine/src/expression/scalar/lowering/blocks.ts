import type { SyntaxNode } from '../../syntax';
import { assign, comma, local, newLocal } from '../ir';
import type { Ir } from '../ir';
import { anyType } from '../value-types';
import type { LoweringContext } from './context';
import { missing } from './operand';
import type { Operand } from './operand';
import { newVariableScope } from './scope';
import type { VariableScope } from './scope';
import { handedOn, settled } from './sequences';
import { unsupported } from './unsupported';

/** Steps in their own frame; the last one is the value. `lowerLast` lowers it, in the tail of a lambda. */
export function lowerBlock(steps: readonly SyntaxNode[], at: LoweringContext, lowerLast = at.lower): Operand {
  const variables = newVariableScope(at.variables, at.scope.depth);
  for (const step of steps) for (const name of boundNames(step)) awaitVariable(variables, name, at);
  const inside: LoweringContext = { ...at, variables };
  const before: Ir[] = [];
  let last = missing;
  for (const [index, step] of steps.entries()) {
    const lower = index === steps.length - 1 ? lowerLast : at.lower;
    last = isPlainBinding(step) ? lowerBinding(step, inside, variables) : lower(step, inside);
    if (index < steps.length - 1) before.push(last.ir);
  }
  return { ...last, ir: comma(...before, last.ir) };
}

/** A variable has a name before it has a value: functions may mention it. */
function awaitVariable(variables: VariableScope, name: string, at: LoweringContext): void {
  if (name === '' || name === '$') unsupported('assignment to the context');
  if (variables.awaited.has(name)) unsupported('variable bound twice');
  variables.awaited.set(name, { ir: local(newLocal(at.scope)), type: anyType });
}

function boundNames(step: SyntaxNode): string[] {
  if (!isPlainBinding(step)) return [];
  return [variableOf(step), ...boundNames(step.rhs as SyntaxNode)];
}

export function isPlainBinding(node: SyntaxNode): boolean {
  return node.type === 'bind' && node.predicate === undefined && node.group === undefined && node.keepArray !== true;
}

function variableOf(binding: SyntaxNode): string {
  return String((binding.lhs as SyntaxNode).value);
}

function lowerBinding(node: SyntaxNode, at: LoweringContext, variables: VariableScope): Operand {
  const name = variableOf(node);
  const rhs = node.rhs as SyntaxNode;
  const value = isPlainBinding(rhs) ? lowerBinding(rhs, at, variables) : at.lower(rhs, at);
  const awaited = variables.awaited.get(name) as Operand;
  const target = awaited.ir.kind === 'local' ? awaited.ir.local : unsupported('binding');
  variables.bound.set(name, { ...value, ir: local(target) });
  return settled(handedOn({ ...value, ir: assign(target, value.ir) }, at), false);
}
