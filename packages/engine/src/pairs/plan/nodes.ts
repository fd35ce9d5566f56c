import { generateOwn } from '../../expression/scalar/code-generation';
import type { JsonObject, MaybePromise, Side } from '../../values/types';
import type { ArithmeticOperator, OrderOperator } from '../../expression/scalar/runtime';

/**
 * A column: the part of the expressions that one record determines, computed once for each record and used by all
 * its pairs.
 */
export interface PairColumn {
  readonly side: Side;
  /** Index among the columns of its side. */
  readonly index: number;
  /** Evaluates the column and throws jsonata's errors; the input holds only the record of the column's side. */
  readonly read: (input: { left?: JsonObject; right?: JsonObject }) => unknown;
  /** True if it is a plain field, which takes no memory of its own. */
  readonly isField: boolean;
  /** True if it reads nothing, so that all records have the same value. */
  readonly isConstant: boolean;
  /** The only field of the record that the value depends on; null when it depends on none or several. */
  readonly field: FieldSource | null;
  /** Number of the dictionary of its codes; null for a column that keeps values. */
  dictionary: number | null;
}

/** Both records of a pair. */
export interface PairInput {
  left: JsonObject;
  right: JsonObject;
}

export type EqualityOperator = '=' | '!=';
export type LogicalOperator = 'and' | 'or';

/** An expression over columns, as the loop over pairs evaluates it. Values are jsonata's. */
export type PairNode =
  | { kind: 'constant'; value: string | number | boolean | null }
  | { kind: 'column'; column: PairColumn }
  | { kind: 'arithmetic'; operator: ArithmeticOperator; left: PairNode; right: PairNode }
  | { kind: 'order'; operator: OrderOperator; left: PairNode; right: PairNode }
  | { kind: 'equality'; operator: EqualityOperator; left: PairNode; right: PairNode }
  | { kind: 'logical'; operator: LogicalOperator; left: PairNode; right: PairNode }
  | { kind: 'negation'; operand: PairNode }
  | { kind: 'condition'; test: PairNode; then: PairNode; otherwise: PairNode | null }
  /** `&` and `in`. */
  | { kind: 'operation'; operator: '&' | 'in'; left: PairNode; right: PairNode }
  | { kind: 'call'; name: string; arguments: readonly PairNode[] }
  /** `[a, b]`, none of which is a constructor itself. */
  | { kind: 'list'; items: readonly PairNode[] }
  /** The steps are evaluated for their errors and for the variables they bind. */
  | { kind: 'block'; steps: readonly PairNode[]; result: PairNode }
  /** A step of a block that gives a variable its value. `id` numbers the variables of a rule set. */
  | { kind: 'bind'; id: number; value: PairNode }
  /** The value of a variable, after its `bind`. */
  | { kind: 'variable'; id: number }
  /** An evaluation that needs both records. A promise is pending work of the reference evaluator. */
  | { kind: 'pair'; evaluate: (input: PairInput) => MaybePromise<unknown> };

/** Copies a field of the first `count` records into `fields`. */
export type FieldReader = (records: readonly JsonObject[], count: number, fields: unknown[]) => void;

/** The only field that the values of a column depend on. */
export class FieldSource {
  private made: FieldReader | null = null;

  /**
   * With `isValue`, the column is the field itself. A text or a number under a name is the record's own field,
   * since records inherit neither.
   */
  constructor(
    private readonly name: string,
    readonly isValue: boolean,
  ) {}

  get reader(): FieldReader {
    this.made ??= generateReader(this.name);
    return this.made;
  }
}

/** Generates a reader per field: V8 cannot optimise one place that reads many fields. */
function generateReader(name: string): FieldReader {
  return generateOwn(
    { name },
    'records,count,fields',
    'for(let index=0;index<count;index+=1)fields[index]=records[index][name];',
  );
}
