import type { PathStage, SyntaxNode } from '../../syntax';
import { array, assign, call, choose, comma, constant, local, newLocal } from '../ir';
import type { Ir, Local } from '../ir';
import { filter, itemAt } from '../runtime/filters';
import { isNothing, keepArray, lookupRaw, namesBehind, namesFrom, startOfPath, step } from '../runtime/paths';
import { sequenceOf } from '../runtime/sequences';
import { sortByTerms } from '../runtime/sorting';
import type { SortTerm } from '../runtime/sorting';
import { anyType, dataType, isOnly } from '../value-types';
import { lowerGroup } from './constructors';
import { itemFunction } from './context';
import type { LoweringContext } from './context';
import { fieldChain, fieldOf } from './fields';
import type { Operand } from './operand';
import { refuseTuples, unsupported } from './unsupported';

export function lowerPath(node: SyntaxNode, at: LoweringContext): Operand {
  const steps = node.steps ?? [];
  if (node.keepSingletonArray !== true && node.group === undefined) {
    const names = steps.filter(isPlainName).map((each) => String(each.value));
    if (names.length === steps.length) return fieldChain(at.value, names, namesFrom, at);
    const [first] = steps;
    if (first !== undefined && steps.length > 1 && names.length === steps.length - 1 && isPlainVariable(first)) {
      return fieldChain(at.lower(first, at), names, namesBehind, at);
    }
  }
  return lowerSteps(node, steps, at);
}

function isPlainName(step: SyntaxNode): boolean {
  return step.type === 'name' && isPlainStep(step);
}

function isPlainVariable(step: SyntaxNode): boolean {
  return step.type === 'variable' && isPlainStep(step);
}

function isPlainStep(step: SyntaxNode): boolean {
  if (step.stages !== undefined || step.predicate !== undefined || step.group !== undefined) return false;
  if (step.focus !== undefined || step.index !== undefined || step.ancestor !== undefined) return false;
  return step.keepArray !== true && step.tuple !== true;
}

/** Lowers a name that is a step on its own. */
export function lowerName(node: SyntaxNode, at: LoweringContext): Operand {
  const key = String(node.value);
  const isInput = at.value.isInput === true;
  if (node.keepArray === true || node.predicate !== undefined || node.group !== undefined) {
    return {
      ir: call(lookupRaw, at.value.ir, constant(key)),
      type: isInput ? dataType : anyType,
      isInput,
      isRaw: true,
    };
  }
  return fieldOf(at.value, key, at);
}

/** A path in general: each step over what the one before has given. */
function lowerSteps(node: SyntaxNode, steps: readonly SyntaxNode[], at: LoweringContext): Operand {
  const current = newLocal(at.scope);
  const start = steps[0]?.type === 'variable' ? sequenceOf : startOfPath;
  let isInput = at.value.isInput === true;
  const values = steps.map((each, index) => {
    const value = lowerStep(each, { current, isInput, isFirst: index === 0, isLast: index === steps.length - 1 }, at);
    isInput = value.isInput === true;
    return value.ir;
  });
  const walk = comma(assign(current, call(start, at.value.ir)), untilNothing(values, current));
  const kept =
    node.keepSingletonArray === true ? comma(walk, call(keepArray, local(current))) : comma(walk, local(current));
  const result: Operand = { ir: kept, type: isInput ? dataType : anyType, isInput, isRaw: true };
  return node.group === undefined ? result : lowerGroup(node.group, result, at);
}

/** The steps in order, up to the first that finds nothing. */
function untilNothing(values: readonly Ir[], current: Local): Ir {
  const [first, ...rest] = values;
  if (first === undefined) return local(current);
  const done = assign(current, first);
  if (rest.length === 0) return done;
  return comma(done, choose(call(isNothing, local(current)), constant(undefined), untilNothing(rest, current)));
}

interface StepInput {
  current: Local;
  isInput: boolean;
  isFirst: boolean;
  isLast: boolean;
}

function lowerStep(node: SyntaxNode, input: StepInput, at: LoweringContext): Operand {
  refuseTuples(node);
  const items: Operand = { ir: local(input.current), type: anyType, isInput: input.isInput };
  if (node.type === 'sort') return lowerSort(node, items, at);
  if (input.isFirst && node.consarray === true) {
    if (node.stages !== undefined) unsupported('filtered constructor as the start of a path');
    return at.lower(node, { ...at, value: items, known: new Map(at.known) });
  }
  let result: Operand | undefined;
  const evaluate = itemFunction(at, input.isInput, (inside) => {
    const value = inside.lower(node, inside);
    result = node.stages === undefined ? value : lowerFilters(node.stages, value, inside);
    return result.ir;
  });
  const isInput = result?.isInput === true && isOnly(result.type, dataType);
  return { ir: call(step, items.ir, evaluate, constant(input.isLast)), type: anyType, isInput };
}

function lowerSort(node: SyntaxNode, items: Operand, at: LoweringContext): Operand {
  const terms = (node.terms ?? []).map((term) => {
    const evaluate = itemFunction(at, items.isInput === true, (inside) => inside.lower(term.expression, inside).ir);
    return call(sortTerm, evaluate, constant(term.descending));
  });
  const sorted: Operand = { ...items, ir: call(sortByTerms, items.ir, array(terms)) };
  return node.stages === undefined ? sorted : lowerFilters(node.stages, sorted, at);
}

function sortTerm(evaluate: SortTerm['evaluate'], descending: boolean): SortTerm {
  return { evaluate, descending };
}

/** Lowers the filters that follow a value, each on the result of the previous one. */
export function lowerFilters(stages: readonly PathStage[], value: Operand, at: LoweringContext): Operand {
  return stages.reduce((filtered, stage) => lowerFilter(stage, filtered, at), value);
}

function lowerFilter(stage: PathStage, value: Operand, at: LoweringContext): Operand {
  if (stage.type === 'index') return unsupported('rows of a path');
  const { expr } = stage;
  const isInput = value.isInput === true;
  const result = { type: isInput && isOnly(value.type, dataType) ? dataType : anyType, isInput, isRaw: true };
  if (expr.type === 'number') return { ir: call(itemAt, value.ir, constant(expr.value)), ...result };
  const predicate = itemFunction(at, isInput, (inside) => inside.lower(expr, inside).ir);
  return { ir: call(filter, value.ir, predicate), ...result };
}
