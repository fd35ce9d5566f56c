import { readPath, type JsonObject } from '@tieout/engine';

/** Notes which of some fields the records of a side have. */
export class FieldsFound {
  private readonly missing: Set<string>;

  constructor(fields: Iterable<string>) {
    this.missing = new Set(fields);
  }

  has(field: string): boolean {
    return !this.missing.has(field);
  }

  /** Looks in a parsed record, along dotted paths. It costs nothing once all fields are found. */
  look(record: JsonObject): void {
    for (const field of this.missing) if (isValue(readPath(record, field))) this.missing.delete(field);
  }

  note(field: string): void {
    this.missing.delete(field);
  }

  foundAll(): void {
    this.missing.clear();
  }
}

const isValue = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
