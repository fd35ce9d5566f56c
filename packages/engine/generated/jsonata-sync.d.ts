declare namespace createJsonata {
  /** In ms, by the clock and by what this process has been on processors. */
  interface Moment {
    readonly clockMs: number;
    readonly processorMs: number;
  }

  /** When the time of an evaluation began to run, and what there was of it. */
  interface EvaluationTime extends Moment {
    readonly leftMs: number;
  }

  /** Asked before or during work that jsonata itself does not limit. Each throws when it is too much. */
  interface Bounds {
    /** A text of this many characters is about to be made. */
    text(length: number): void;
    /** An array of this many items, which is no sequence, has been made. */
    items(length: number): void;
    /** The most that `items` lets pass. */
    readonly mostItems: number;
    /** The code points of a text, as an array gives them. */
    characters(text: unknown): { readonly length: number; slice(start?: number, end?: number): { join(separator: ''): string } };
    /** A text or an array has been made: an evaluation pays for all of them. Other values cost nothing. */
    made(value: unknown): void;
    /** A function of this name has given a value: what it has made is paid for. */
    returned(value: unknown, name: string): void;
    /** The types of an array's items are looked at. */
    checked(items: { readonly length: number }): void;
    /** The time of the evaluation that starts `now`: that of before where it begins anew. */
    began(now: Moment, limitMs: number): EvaluationTime;
    /** A text is gone through, to its end if need be. */
    searched(text: unknown, part: unknown): void;
    /** A text is about to be read as a number. */
    read(text: unknown): void;
    /** A part has been found at so many places of a text. */
    matched(places: number): void;
    /** An object of so many members, or a function that keeps as many values, has been made. */
    members(count: number): void;
    /** A copy of an object or array, as its JSON reads it: numbers to 15 digits, functions as empty texts. */
    clone(value: unknown): unknown;
    /** A value as a message shows it: JSON, cut short. */
    shown(value: unknown): string | undefined;
    /** A text of a message, cut short. */
    told(text: unknown): string;
    /** This value is about to be written as JSON. */
    json(value: unknown): void;
    /** So many nodes of values have been visited by one walk. */
    visited(nodes: number): void;
    /** A picture of a number or a date is about to be analysed. */
    picture(picture: unknown): void;
    /** So many characters are about to be read or written by a picture. */
    pictured(length: number): void;
    /** The pattern that jsonata makes from a date's picture; it must match in linear time. */
    pattern(source: string, flags: string): { exec(text: unknown): ArrayLike<string | undefined> | null };
  }

  interface Options {
    RegexEngine?: new (pattern: RegExp) => unknown;
    timeout?: number;
    stack?: number;
    sequence?: number;
  }

  interface Expression {
    evaluate(input: unknown): unknown;
    ast(): unknown;
    registerFunction(name: string, implementation: (...args: never[]) => unknown, signature?: string): void;
  }

  type Jsonata = (source: string, options?: Options) => Expression;
}

/** jsonata, evaluating synchronously, within bounds. */
declare function createJsonata(bounds: createJsonata.Bounds): createJsonata.Jsonata;

export = createJsonata;
