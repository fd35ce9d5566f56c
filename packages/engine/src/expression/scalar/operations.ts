/** Something that JavaScript does by itself: its text in generated code, and the same for closures. */
interface Definition {
  text: (first: string, second: string) => string;
  run: (first: never, second: never) => unknown;
}

const definitions = {
  isNumber: define(
    (value) => `(typeof ${value}==='number')`,
    (value: unknown) => typeof value === 'number',
  ),
  isFiniteNumber: define(
    (value) => `Number.isFinite(${value})`,
    (value: unknown) => Number.isFinite(value),
  ),
  isString: define(
    (value) => `(typeof ${value}==='string')`,
    (value: unknown) => typeof value === 'string',
  ),
  isBoolean: define(
    (value) => `(typeof ${value}==='boolean')`,
    (value: unknown) => typeof value === 'boolean',
  ),
  isOfObjectType: define(
    (value) => `(typeof ${value}==='object')`,
    (value: unknown) => typeof value === 'object',
  ),
  isArray: define(
    (value) => `Array.isArray(${value})`,
    (value: unknown) => Array.isArray(value),
  ),
  isUndefined: define(
    (value) => `(${value}===undefined)`,
    (value: unknown) => value === undefined,
  ),
  isDefined: define(
    (value) => `(${value}!==undefined)`,
    (value: unknown) => value !== undefined,
  ),
  isNull: define(
    (value) => `(${value}===null)`,
    (value: unknown) => value === null,
  ),
  isTrue: define(
    (value) => `(${value}===true)`,
    (value: unknown) => value === true,
  ),
  not: define(
    (value) => `!${value}`,
    (value: unknown) => value !== true,
  ),
  same: define(
    (left, right) => `(${left}===${right})`,
    (left: unknown, right: unknown) => left === right,
  ),
  add: define(
    (left, right) => `(${left}+${right})`,
    (left: number, right: number) => left + right,
  ),
  subtract: define(
    (left, right) => `(${left}-${right})`,
    (left: number, right: number) => left - right,
  ),
  multiply: define(
    (left, right) => `(${left}*${right})`,
    (left: number, right: number) => left * right,
  ),
  divide: define(
    (left, right) => `(${left}/${right})`,
    (left: number, right: number) => left / right,
  ),
  remainder: define(
    (left, right) => `(${left}%${right})`,
    (left: number, right: number) => left % right,
  ),
  negate: define(
    (value) => `(-${value})`,
    (value: number) => -value,
  ),
  less: define(
    (left, right) => `(${left}<${right})`,
    (left: number, right: number) => left < right,
  ),
  lessOrEqual: define(
    (left, right) => `(${left}<=${right})`,
    (left: number, right: number) => left <= right,
  ),
  greater: define(
    (left, right) => `(${left}>${right})`,
    (left: number, right: number) => left > right,
  ),
  greaterOrEqual: define(
    (left, right) => `(${left}>=${right})`,
    (left: number, right: number) => left >= right,
  ),
  absolute: define(
    (value) => `Math.abs(${value})`,
    (value: number) => Math.abs(value),
  ),
  floor: define(
    (value) => `Math.floor(${value})`,
    (value: number) => Math.floor(value),
  ),
  ceiling: define(
    (value) => `Math.ceil(${value})`,
    (value: number) => Math.ceil(value),
  ),
  /** The field of an object; the caller sees to it that the key is none of the prototype's. */
  field: define(
    (object, key) => `${object}[${key}]`,
    (object: Record<string, unknown>, key: string) => object[key],
  ),
  /** Whether data carries jsonata's marks of a function. */
  isMarked: define(
    (object) => `(${object}._jsonata_lambda===true||${object}._jsonata_function===true)`,
    (object: Record<string, unknown>) => object['_jsonata_lambda'] === true || object['_jsonata_function'] === true,
  ),
};

export type Operation = keyof typeof definitions;

export const operations: Readonly<Record<Operation, Definition>> = definitions;

function define(text: Definition['text'], run: Definition['run']): Definition {
  return { text, run };
}
