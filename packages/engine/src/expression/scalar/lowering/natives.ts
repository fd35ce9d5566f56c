import type { SyntaxNode } from '../../syntax';
import { array, both, call, choose, constant, either, operate } from '../ir';
import type { Ir } from '../ir';
import type { Operation } from '../operations';
import { validateWithoutContext } from '../runtime/functions';
import { located } from '../../fault';
import { callBuiltinRaw, findNative, nativeDirect, runNative } from '../runtime/natives';
import type { Native } from '../runtime/natives';
import { booleanType, isOnly, mayBe, numberType, stringType, undefinedType } from '../value-types';
import type { ValueType } from '../value-types';
import type { LoweringContext } from './context';
import { inlined } from './inlined';
import type { Inlined } from './inlined';
import { resultType, signatureOf } from './native-signatures';
import type { SimpleParameter } from './native-signatures';
import { withNames } from './operand';
import type { Operand } from './operand';
import { unsupported } from './unsupported';

/** A call of a function that jsonata defines. */
interface NativeCall {
  name: string;
  args: readonly Operand[];
  node: SyntaxNode;
  /** True at the end of a lambda: see lowerTailCall. */
  isTail?: boolean;
}

/**
 * Lowers a call of one of jsonata's functions. Where the arguments certainly have the right types, it uses the function
 * itself or an equivalent operation. Otherwise the function's signature decides, with jsonata's errors.
 */
export function lowerNative(nativeCall: NativeCall, at: LoweringContext): Operand {
  const { name, args, node, isTail = false } = nativeCall;
  const native = findNative(name) ?? unsupported(`$${name}`);
  const checked = isTail ? checkedWithoutContext(native, node, name) : checkedCall(name, node);
  const slow = (...values: Operand[]): Ir => call(checked, array(values.map((value) => value.ir)), at.value.ir);
  const inline = inlined.get(`${name}/${args.length}`);
  if (inline !== undefined) {
    const result = inline(args, slow, at, node);
    if (result !== null) return result;
  }
  return direct(nativeCall, native, slow, at) ?? { ir: slow(...args), type: resultType(native), isRaw: true };
}

type Call = (args: unknown[], context: unknown) => unknown;

function checkedCall(name: string, node: SyntaxNode): Call {
  return located((args: unknown[], context: unknown) => callBuiltinRaw(name, args, context), node, name);
}

function checkedWithoutContext(native: Native, node: SyntaxNode, name: string): Call {
  const validate = native.signature?.validate.bind(native.signature);
  return located(
    (args: unknown[]) => runNative(native, validate === undefined ? args : validateWithoutContext(validate, args)),
    node,
    name,
  );
}

/** The function itself, without its signature, where types are right. */
function direct(
  { name, args, node }: NativeCall,
  native: Native,
  slow: Inlined['slow'],
  at: LoweringContext,
): Operand | null {
  const signature = signatureOf(native, args.length);
  if (signature === null) return null;
  const run = located(nativeDirect(native), node, name);
  const ir = withNames(at.scope, args, (...named) => {
    const guards = named.map((value, index) => guard(value, signature.parameters[index] as SimpleParameter));
    return choose(guards.reduce(both, constant(true)), call(run, ...named.map((value) => value.ir)), slow(...named));
  });
  return { ir, type: signature.result | undefinedType };
}

const tests: readonly (readonly [ValueType, Operation])[] = [
  [stringType, 'isString'],
  [numberType, 'isNumber'],
  [booleanType, 'isBoolean'],
];

function guard(value: Operand, parameter: SimpleParameter): Ir {
  if (isOnly(value.type, parameter.kinds)) return constant(true);
  return tests
    .filter(([kind]) => mayBe(parameter.kinds & value.type, kind))
    .map(([, test]) => operate(test, value.ir))
    .reduce(either, constant(false));
}
