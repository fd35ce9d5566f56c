declare namespace createJsonata {
  /** A point in time, in ms: by the clock, and by the time that this process has spent on processors. */
  interface Moment {
    readonly clockMs: number;
    readonly processorMs: number;
  }

  /** The start of the time of an evaluation, and the time that was left then. */
  interface EvaluationTime extends Moment {
    readonly leftMs: number;
  }

  /** The characters of a text: the part of an array's interface that jsonata uses. */
  interface Characters {
    readonly length: number;
    slice(start?: number, end?: number): { join(separator: ''): string };
  }

  /** Asked before or during work that jsonata itself does not limit. Each throws when it is too much. */
  interface Bounds {
    /** A text of this many characters is about to be made. */
    text(length: number): void;
    /** An array of this many items, which is no sequence, has been made. */
    items(length: number): void;
    /** The number of items that `items` accepts at most. */
    readonly maxItems: number;
    /** The code points of a text, as an array gives them. */
    characters(text: unknown): Characters;
    /** A text or an array has been made: an evaluation pays for all of them. Other values cost nothing. */
    made(value: unknown): void;
    /** A function of this name has given a value: what it has made is paid for. */
    returned(value: unknown, name: string): void;
    /** The types of an array's items are looked at. */
    checked(items: { readonly length: number }): void;
    /** The time of the evaluation that starts `now`; one that starts over keeps its time. */
    began(now: Moment, limitMs: number): EvaluationTime;
    /** A text is gone through, to its end if need be. */
    searched(text: unknown, part: unknown): void;
    /** A text is about to be read as a number. */
    read(text: unknown): void;
    /** A part has been found at this number of places of a text. */
    matched(places: number): void;
    /** An object with this number of members, or a function that keeps as many values, has been made. */
    members(count: number): void;
    /** A copy of an object or array, as its JSON reads it: numbers to 15 digits, functions as empty texts. */
    clone(value: unknown): unknown;
    /** A value as a message shows it: JSON, cut short. */
    shown(value: unknown): string | undefined;
    /** A text of a message, cut short. */
    told(text: unknown): string;
    /** This value is about to be written as JSON. */
    json(value: unknown): void;
    /** One walk has visited this number of nodes of values. */
    visited(nodes: number): void;
    /** A picture of a number or a date is about to be analysed. */
    picture(picture: unknown): void;
    /** A picture is about to read or write this number of characters. */
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
