import { asValue, isBooleanLike, isNumeric } from './emitted';
import type { Emitted } from './emitted';
import { callerOf } from './operations';
import type { PairColumn, PairNode } from '../plan/nodes';

type CallNode = Extract<PairNode, { kind: 'call' }>;
/** The parts of the expression emitter that calls need. */
interface CallEmitter {
  throwing(code: string): string;
  condition(from: Emitted): string;
  slot(value: unknown): string;
  trigrams(column: PairColumn): string | null;
  store(code: string, shape: Emitted['shape'], bound?: number): Emitted;
  emit(node: PairNode, loose: boolean): Emitted;
}

type Inline = (emitter: CallEmitter, given: readonly Emitted[], exact: string, loose: boolean) => Emitted | null;

/** Writes a function call: inline where the types of its arguments allow it, otherwise as jsonata evaluates it. */
export function emitCall(emitter: CallEmitter, node: CallNode, loose: boolean): Emitted {
  const shortened = emitExtreme(emitter, node);
  if (shortened !== null) return shortened;
  const given = node.arguments.map((argument) => {
    const one = emitter.emit(argument, false);
    return one.shape === 'optional' && node.name !== 'abs' && node.name !== 'exists' && node.name !== 'not'
      ? emitter.store(asValue(one), 'value')
      : one;
  });
  const exact = `${emitter.slot(callerOf(node.name, given.length))}(${given.map(asValue).join(', ')})`;
  if (node.name === 'contains') return emitContains(emitter, node, given, exact);
  return inlineCalls[node.name]?.(emitter, given, exact, loose) ?? emitter.store(emitter.throwing(exact), 'value');
}

const inlineCalls: Readonly<Record<string, Inline>> = Object.assign(Object.create(null) as Record<string, Inline>, {
  abs(emitter, [one], exact) {
    if (one === undefined) return null;
    if (isNumeric(one)) return emitter.store(`Math.abs(${one.code})`, one.shape, one.bound);
    return emitter.store(
      emitter.throwing(`typeof ${one.code} === 'number' ? Math.abs(${one.code}) : ${exact}`),
      'value',
    );
  },
  exists(emitter, [one]) {
    if (one === undefined) return null;
    if (one.shape === 'optional') return emitter.store(`${one.code} === ${one.code}`, 'boolean');
    return emitter.store(`${one.code} !== undefined`, 'boolean');
  },
  not(emitter, [one], exact, loose) {
    if (one === undefined) return null;
    if (one.shape === 'number' || one.shape === 'text' || one.shape === 'boolean') {
      return emitter.store(`!${emitter.condition(one)}`, 'boolean');
    }
    if (loose && one.shape === 'optional') return emitter.store(`${one.code} === 0`, 'truth');
    if (isBooleanLike(one)) return emitter.store(`${one.code} === undefined ? undefined : !${one.code}`, 'maybe');
    return emitter.store(emitter.throwing(exact), 'maybe');
  },
} satisfies Record<string, Inline>);

/** Writes `$contains` of two texts, or of a text and a pattern. */
function emitContains(emitter: CallEmitter, node: CallNode, [text, part]: readonly Emitted[], exact: string): Emitted {
  if (text === undefined || part === undefined) return emitter.store(emitter.throwing(exact), 'value');
  const found = `${mayContain(emitter, node)}${text.code}.includes(${part.code})`;
  if (text.shape === 'text' && part.shape === 'text') return emitter.store(found, 'boolean');
  const areTexts = `typeof ${text.code} === 'string' && typeof ${part.code} === 'string'`;
  return emitter.store(emitter.throwing(`${areTexts} ? ${found} : ${exact}`), 'maybe');
}

/** Writes the test of trigram bits that precedes the search of one column's text for the other's. */
function mayContain(emitter: CallEmitter, { arguments: [text, part] }: CallNode): string {
  if (text?.kind !== 'column' || part?.kind !== 'column') return '';
  const [whole, wanted] = [emitter.trigrams(text.column), emitter.trigrams(part.column)];
  return whole === null || wanted === null ? '' : `(${wanted} & ~${whole}) === 0 && `;
}

/** Writes `$max([a, b])` and `$min([a, b])` of numbers. */
function emitExtreme(emitter: CallEmitter, { name, arguments: [only] }: CallNode): Emitted | null {
  if ((name !== 'max' && name !== 'min') || only?.kind !== 'list') return null;
  const items = only.items.map((item) => emitter.emit(item, false));
  if (items.length > 0 && items.every(({ shape }) => shape === 'number')) {
    const bound = Math.max(...items.map((item) => item.bound));
    return emitter.store(`Math.${name}(${items.map(({ code }) => code).join(', ')})`, 'number', bound);
  }
  const exact = `call(${emitter.slot(name)}, [list([${items.map(asValue).join(', ')}])])`;
  return emitter.store(emitter.throwing(exact), 'value');
}
