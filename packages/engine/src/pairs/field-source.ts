import { generateOwn } from '../expression/scalar/code-generation';
import type { JsonObject } from '../values/types';

/** Puts a field of the first `count` records, as it stands, into `fields`. */
export type FieldReader = (records: readonly JsonObject[], count: number, fields: unknown[]) => void;

/** The one field that the values of a column depend on. */
export class FieldSource {
  private made: FieldReader | null = null;

  /**
   * With `isValue`, the column is the field itself. A text or a number under a name is the record's own field: what
   * records inherit is neither.
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

/** A function of its own for each field: what V8 learns about a place that reads many fields is of no use to any of them. */
function generateReader(name: string): FieldReader {
  return generateOwn(
    { name },
    'records,count,fields',
    'for(let index=0;index<count;index+=1)fields[index]=records[index][name];',
  );
}
