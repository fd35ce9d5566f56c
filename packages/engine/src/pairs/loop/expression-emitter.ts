import type { StoredColumn } from '../columns/stored-columns';
import { comparedColumns } from '../plan/column-plan';
import { asCondition, asValue, boundOf, commonShape, emitted, isNumeric } from './emitted';
import type { Emitted } from './emitted';
import { maxColumnNumber } from '../columns/stored-columns';
import { emitCall } from './emitted-calls';
import type { PairColumn, PairNode } from '../plan/nodes';

type Of<K extends PairNode['kind']> = Extract<PairNode, { kind: K }>;

/**
 * Writes the source of expressions over columns of known kinds. The text consists of fixed words and numbered
 * names: `a0` is the left row's value of column 0, `r0` the values of right column 0, `k0` a datum, `t0` an
 * intermediate result. Anything that a rule set says reaches the loop as data.
 */
export class ExpressionEmitter {
  readonly data: unknown[] = [];
  private lines: string[] = [];
  private temporaries = 0;
  private readonly variables = new Map<number, Emitted>();
  private fallible = false;
  /** Columns whose trigrams the source reads. */
  readonly usedTrigrams = { left: new Set<number>(), right: new Set<number>() };
  /** True if the source does more than apply operators to scalars. */
  mayTakeLong = false;

  constructor(private readonly kinds: (column: PairColumn) => StoredColumn['kind']) {}

  /** Returns the lines since the last call. */
  takeLines(): string {
    const text = this.lines.join('\n');
    this.lines = [];
    return text;
  }

  /** Returns whether the source since the last call can throw. */
  takeFallible(): boolean {
    const { fallible } = this;
    this.fallible = false;
    return fallible;
  }

  /** Marks source that may throw. */
  throwing(code: string): string {
    this.fallible = true;
    this.mayTakeLong = true;
    return code;
  }

  /** Writes a condition. It can throw only for a value of unknown type. */
  condition(from: Emitted): string {
    const code = asCondition(from, 'isTruthy');
    return from.shape === 'value' ? this.throwing(code) : code;
  }

  /** Names a value that the loop reads as data. */
  slot(value: unknown): string {
    this.data.push(value);
    return `k${this.data.length - 1}`;
  }

  /**
   * Names the trigrams of a column's text: `p0` of left column 0, `q0` of right column 0. Null where a text may
   * still be deferred.
   */
  trigrams(column: PairColumn): string | null {
    if (this.kinds(column) === 'd') return null;
    const { side, index } = column;
    this.usedTrigrams[side].add(index);
    return side === 'left' ? `p${index}[left]` : `q${index}[right]`;
  }

  write(line: string): void {
    this.lines.push(line);
  }

  /** Stores an intermediate result. */
  store(code: string, shape: Emitted['shape'], bound = Infinity): Emitted {
    const name = `t${this.temporaries++}`;
    this.write(`const ${name} = ${code};`);
    return { code: name, shape, bound };
  }

  /** Declares a variable that branches assign. */
  declare(initial: string): string {
    const name = `t${this.temporaries++}`;
    this.write(`let ${name} = ${initial};`);
    return name;
  }

  /** Writes a node. With `loose`, nothing may become false, for a reader that treats both alike. */
  emit(node: PairNode, loose: boolean): Emitted {
    switch (node.kind) {
      case 'constant':
        return this.constant(node.value);
      case 'column':
        return this.column(node.column);
      case 'arithmetic':
        return this.arithmetic(node);
      case 'order':
        return this.order(node, loose);
      case 'equality':
        return this.equality(node);
      case 'logical':
        return this.logical(node);
      case 'negation':
        return this.negation(node);
      case 'condition':
        return this.branches(node, loose);
      case 'operation':
        return this.operation(node);
      case 'call':
        return emitCall(this, node, loose);
      case 'list':
        return this.store(
          this.throwing(`list([${node.items.map((item) => asValue(this.emit(item, false))).join(', ')}])`),
          'value',
        );
      case 'block':
        return this.block(node, loose);
      case 'bind':
        return this.bind(node);
      case 'variable':
        return this.variables.get(node.id) as Emitted;
      case 'pair':
        return this.store(
          this.throwing(`evaluatePair(${this.slot(node.evaluate)}, (input.right = rightRecords[right], input))`),
          'value',
        );
    }
  }

  private constant(value: string | number | boolean | null): Emitted {
    if (typeof value === 'number') return { code: this.slot(value), shape: 'number', bound: Math.abs(value) };
    if (typeof value === 'string') return emitted(this.slot(value), 'text');
    return typeof value === 'boolean' ? emitted(String(value), 'boolean') : emitted('null', 'value');
  }

  private column(column: PairColumn): Emitted {
    const kind = this.kinds(column);
    const code = column.side === 'left' ? `a${column.index}` : `r${column.index}[right]`;
    if (kind === 'n') return this.store(code, 'number', maxColumnNumber);
    if (kind === 'o') return this.store(code, 'optional', maxColumnNumber);
    if (kind === 't') return this.store(code, 'text');
    return this.store(kind === 'd' ? this.throwing(`settled(${code})`) : code, 'value');
  }

  private arithmetic({ operator, left, right }: Of<'arithmetic'>): Emitted {
    const one = this.emit(left, false);
    const other = this.emit(right, false);
    const code = `${one.code} ${operator} ${other.code}`;
    if (isNumeric(one) && isNumeric(other)) {
      const divisor = right.kind === 'constant' && typeof right.value === 'number' ? right.value : null;
      const bound = boundOf(operator, one, other, divisor);
      if (bound !== null) return this.store(code, commonShape(one.shape, other.shape), bound);
    }
    const x = this.asOperand(one);
    const y = this.asOperand(other);
    const guard = [x, y]
      .filter((operand) => operand.shape !== 'number')
      .map((operand) => `typeof ${operand.code} === 'number' && ${operand.code} - ${operand.code} === 0`)
      .join(' && ');
    const exact = `arithmetic('${operator}', ${x.code}, ${y.code})`;
    return this.store(
      guard === ''
        ? `${x.code} ${operator} ${y.code}`
        : this.throwing(`${guard} ? ${x.code} ${operator} ${y.code} : ${exact}`),
      'value',
    );
  }

  private order({ operator, left, right }: Of<'order'>, loose: boolean): Emitted {
    const one = this.emit(left, false);
    const other = this.emit(right, false);
    const direct = `${one.code} ${operator} ${other.code}`;
    if (one.shape === other.shape && (one.shape === 'number' || one.shape === 'text'))
      return this.store(direct, 'boolean');
    if (isNumeric(one) && isNumeric(other)) {
      if (loose) return this.store(direct, 'truth');
      return this.store(
        `${one.code} === ${one.code} && ${other.code} === ${other.code} ? ${direct} : undefined`,
        'maybe',
      );
    }
    const x = this.asOperand(one);
    const y = this.asOperand(other);
    const isScalar = `(typeof ${x.code} === 'number' || typeof ${x.code} === 'string')`;
    const comparable = `typeof ${x.code} === typeof ${y.code} && ${isScalar}`;
    return this.store(
      this.throwing(`${comparable} ? ${x.code} ${operator} ${y.code} : order('${operator}', ${x.code}, ${y.code})`),
      'maybe',
    );
  }

  private equality(node: Of<'equality'>): Emitted {
    const columns = comparedColumns(node);
    const coded = columns !== null && columns[0].dictionary !== null && columns[0].dictionary === columns[1].dictionary;
    if (coded) return this.codeEquality(node.operator, columns);
    const one = this.emit(node.left, false);
    const other = this.emit(node.right, false);
    const same = one.shape === other.shape && ['number', 'text', 'boolean'].includes(one.shape);
    if (same) return this.store(`${one.code} ${node.operator === '=' ? '===' : '!=='} ${other.code}`, 'boolean');
    if (isNumeric(one) && isNumeric(other))
      return this.store(numberEquality(node.operator, one.code, other.code), 'boolean');
    const x = this.asOperand(one).code;
    const y = this.asOperand(other).code;
    const deep = this.throwing(`(typeof ${x} === 'object' || typeof ${x} === 'function') && equalValues(${x}, ${y})`);
    if (node.operator === '=')
      return this.store(
        `${x} === undefined || ${y} === undefined ? false : ${x} === ${y} && typeof ${x} !== 'function' || ${deep}`,
        'boolean',
      );
    return this.store(
      `${x} !== undefined && ${y} !== undefined && !(${x} === ${y} && typeof ${x} !== 'function' || ${deep})`,
      'boolean',
    );
  }

  private codeEquality(operator: '=' | '!=', columns: readonly [PairColumn, PairColumn]): Emitted {
    const codes = columns.map(
      ({ side, index }) => this.store(side === 'left' ? `a${index}` : `r${index}[right]`, 'value').code,
    );
    const [one = '', other = ''] = codes;
    const direct =
      operator === '='
        ? `${one} === ${other}`
        : `${one} !== ${other} && ${one} >= unknownCode && ${other} >= unknownCode`;
    const uncoded = columns
      .map((column, at) => ({ column, code: codes[at] ?? '' }))
      .filter(({ column }) => this.kinds(column) === 'x');
    if (uncoded.length === 0) return this.store(direct, 'boolean');
    const operands = columns.map(({ side, index }) => `{ column: ${side}Stored[${index}], row: ${side} }`);
    const guard = uncoded.map(({ code }) => `${code} === uncoded`).join(' || ');
    return this.store(
      this.throwing(`${guard} ? uncodedEquality('${operator}', ${operands.join(', ')}) : ${direct}`),
      'boolean',
    );
  }

  private logical({ operator, left, right }: Of<'logical'>): Emitted {
    const result = this.declare(this.condition(this.emit(left, true)));
    this.write(`if (${operator === 'and' ? result : `!${result}`}) {`);
    this.write(`${result} = ${this.condition(this.emit(right, true))};`);
    this.write('}');
    return emitted(result, 'boolean');
  }

  private negation({ operand }: Of<'negation'>): Emitted {
    const one = this.emit(operand, false);
    if (isNumeric(one)) return this.store(`-${one.code}`, one.shape, one.bound);
    return this.store(
      this.throwing(
        `typeof ${one.code} === 'number' && ${one.code} - ${one.code} === 0 ? -${one.code} : negate(${one.code})`,
      ),
      'value',
    );
  }

  private branches({ test, then, otherwise }: Of<'condition'>, loose: boolean): Emitted {
    const condition = this.condition(this.emit(test, true));
    const outer = this.lines;
    const branch = (node: PairNode | null): { lines: string[]; result: Emitted | null } => {
      this.lines = [];
      return { result: node === null ? null : this.emit(node, loose), lines: this.lines };
    };
    const first = branch(then);
    const second = branch(otherwise);
    this.lines = outer;
    const one = first.result as Emitted;
    const shape = second.result === null ? withNothing(one.shape, loose) : commonShape(one.shape, second.result.shape);
    const asShape = (from: Emitted): string => (shape === 'optional' ? from.code : asValue(from));
    const result = this.declare(nothingAs(shape));
    this.lines.push(`if (${condition}) {`, ...first.lines, `${result} = ${asShape(one)};`);
    if (second.result !== null) this.lines.push('} else {', ...second.lines, `${result} = ${asShape(second.result)};`);
    this.write('}');
    return { code: result, shape, bound: Math.max(one.bound, second.result?.bound ?? 0) };
  }

  private operation({ operator, left, right }: Of<'operation'>): Emitted {
    const one = asValue(this.emit(left, false));
    const other = asValue(this.emit(right, false));
    if (operator === '&') return this.store(this.throwing(`concat(${one}, ${other})`), 'text');
    return this.store(this.throwing(`includes(${one}, ${other})`), 'boolean');
  }

  private block({ steps, result }: Of<'block'>, loose: boolean): Emitted {
    for (const step of steps) this.step(step);
    return this.emit(result, loose);
  }

  /** Writes a step of a block; a column as a step only raises its error. */
  private step(step: PairNode): void {
    if (step.kind !== 'column') {
      this.emit(step, true);
      return;
    }
    const kind = this.kinds(step.column);
    if (kind !== 'x' && kind !== 'd') return;
    const { side, index } = step.column;
    const stored = side === 'left' ? `leftStored[${index}].valueAt(left)` : `rightStored[${index}].valueAt(right)`;
    this.write(this.throwing(`raiseError(${stored});`));
  }

  private bind({ id, value }: Of<'bind'>): Emitted {
    const result = this.emit(value, false);
    this.variables.set(id, result);
    return result;
  }

  /** Returns a value that the source can name twice. */
  private asOperand(from: Emitted): Emitted {
    return from.shape === 'optional' ? this.store(asValue(from), 'value') : from;
  }
}

function numberEquality(operator: '=' | '!=', one: string, other: string): string {
  return operator === '=' ? `${one} === ${other}` : `${one} !== ${other} && ${one} === ${one} && ${other} === ${other}`;
}

function withNothing(shape: Emitted['shape'], loose: boolean): Emitted['shape'] {
  if (shape === 'number' || shape === 'optional') return 'optional';
  if (shape === 'boolean') return loose ? 'truth' : 'maybe';
  return shape === 'maybe' || shape === 'truth' ? shape : 'value';
}

function nothingAs(shape: Emitted['shape']): string {
  if (shape === 'optional') return 'NaN';
  return shape === 'boolean' || shape === 'truth' ? 'false' : 'undefined';
}
