/** The source text of an operator of JavaScript, from the texts of its operands. */
type OperatorText = (first: string, second: string) => string;

const definitions = {
  isNumber: (value) => `(typeof ${value}==='number')`,
  isFiniteNumber: (value) => `Number.isFinite(${value})`,
  isString: (value) => `(typeof ${value}==='string')`,
  isBoolean: (value) => `(typeof ${value}==='boolean')`,
  isOfObjectType: (value) => `(typeof ${value}==='object')`,
  isArray: (value) => `Array.isArray(${value})`,
  isUndefined: (value) => `(${value}===undefined)`,
  isDefined: (value) => `(${value}!==undefined)`,
  isNull: (value) => `(${value}===null)`,
  isTrue: (value) => `(${value}===true)`,
  not: (value) => `!${value}`,
  same: (left, right) => `(${left}===${right})`,
  add: (left, right) => `(${left}+${right})`,
  subtract: (left, right) => `(${left}-${right})`,
  multiply: (left, right) => `(${left}*${right})`,
  divide: (left, right) => `(${left}/${right})`,
  remainder: (left, right) => `(${left}%${right})`,
  negate: (value) => `(-${value})`,
  less: (left, right) => `(${left}<${right})`,
  lessOrEqual: (left, right) => `(${left}<=${right})`,
  greater: (left, right) => `(${left}>${right})`,
  greaterOrEqual: (left, right) => `(${left}>=${right})`,
  absolute: (value) => `Math.abs(${value})`,
  floor: (value) => `Math.floor(${value})`,
  ceiling: (value) => `Math.ceil(${value})`,
  /** Reads a field of an object; the caller ensures that the key does not belong to the prototype. */
  field: (object, key) => `${object}[${key}]`,
  /** Recognises data that carries jsonata's function marks. */
  isMarked: (object) => `(${object}._jsonata_lambda===true||${object}._jsonata_function===true)`,
} satisfies Record<string, OperatorText>;

export type Operation = keyof typeof definitions;

export const operations: Readonly<Record<Operation, OperatorText>> = definitions;
