import type { Stage } from '../../syntax';
import { call, constant } from '../ir';
import { filter, itemAt } from '../runtime/filters';
import { ANYTHING, DATA, isOnly } from '../value-types';
import { itemFunction } from './context';
import type { Context } from './context';
import type { Operand } from './operand';
import { unsupported } from './unsupported';

/** Lowers the filters that follow a value, each on the result of the previous one. */
export function lowerFilters(stages: readonly Stage[], value: Operand, at: Context): Operand {
  return stages.reduce((filtered, stage) => lowerFilter(stage, filtered, at), value);
}

function lowerFilter(stage: Stage, value: Operand, at: Context): Operand {
  if (stage.type === 'index') return unsupported('rows of a path');
  const { expr } = stage;
  const isInput = value.isInput === true;
  const result = { type: isInput && isOnly(value.type, DATA) ? DATA : ANYTHING, isInput, isRaw: true };
  if (expr.type === 'number') return { ir: call(itemAt, value.ir, constant(expr.value)), ...result };
  const predicate = itemFunction(at, isInput, (inside) => inside.lower(expr, inside).ir);
  return { ir: call(filter, value.ir, predicate), ...result };
}
