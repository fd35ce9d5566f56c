import type { AST } from '@eslint-community/regexpp';
import { RegExpParser } from '@eslint-community/regexpp';
import { CharSet, digitUnits, lineEndUnits, spaceUnits, wordUnits } from './char-set';

export type Assertion = 'textStart' | 'textEnd' | 'lineStart' | 'lineEnd' | 'word' | 'notWord';

/** A regular expression in the few forms that matter for matching. */
export type Pattern =
  | { kind: 'set'; set: CharSet }
  | { kind: 'sequence'; items: Pattern[] }
  | { kind: 'choice'; options: Pattern[] }
  /** Groups `firstGroup` up to `endGroup` lie in the body and are unset when an iteration begins. */
  | { kind: 'repeat'; body: Pattern; min: number; max: number; greedy: boolean; firstGroup: number; endGroup: number }
  | { kind: 'group'; index: number; body: Pattern }
  | { kind: 'assertion'; is: Assertion }
  | { kind: 'look'; body: Pattern; behind: boolean }
  | { kind: 'backReference' };

export interface ParsedPattern {
  root: Pattern;
  groupCount: number;
}

const parser = new RegExpParser({ ecmaVersion: 2023 });

/** Parses what JavaScript without the flags `u` and `v` accepts; of the flags `i` and `m` matter. */
export function parsePattern(source: string, flags: string): ParsedPattern {
  const lowering = new Lowering(flags.includes('i'), flags.includes('m'));
  const { alternatives } = parser.parsePattern(source, 0, source.length, { unicode: false, unicodeSets: false });
  return { root: lowering.choice(alternatives), groupCount: lowering.groupCount };
}

class Lowering {
  groupCount = 0;
  private readonly sets = new Map<string, CharSet>();

  constructor(
    private readonly ignoreCase: boolean,
    private readonly multiline: boolean,
  ) {}

  choice(alternatives: readonly AST.Alternative[]): Pattern {
    const options = alternatives.map(({ elements }): Pattern => {
      const items = elements.map((element) => this.element(element));
      return items.length === 1 ? items[0]! : { kind: 'sequence', items };
    });
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  private element(element: AST.Element): Pattern {
    switch (element.type) {
      case 'Quantifier':
        return this.repeat(element);
      case 'Group':
        return this.choice(element.alternatives);
      case 'CapturingGroup':
        return { kind: 'group', index: ++this.groupCount, body: this.choice(element.alternatives) };
      case 'Assertion':
        return this.assertion(element);
      case 'Backreference':
        return { kind: 'backReference' };
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return { kind: 'set', set: this.set(element) };
      default:
        throw new TypeError(`${element.type} needs the flag v.`);
    }
  }

  private repeat({ element, min, max, greedy }: AST.Quantifier): Pattern {
    const firstGroup = this.groupCount + 1;
    const body = this.element(element);
    return { kind: 'repeat', body, min, max, greedy, firstGroup, endGroup: this.groupCount + 1 };
  }

  private assertion(node: AST.Assertion): Pattern {
    switch (node.kind) {
      case 'start':
        return { kind: 'assertion', is: this.multiline ? 'lineStart' : 'textStart' };
      case 'end':
        return { kind: 'assertion', is: this.multiline ? 'lineEnd' : 'textEnd' };
      case 'word':
        return { kind: 'assertion', is: node.negate ? 'notWord' : 'word' };
      case 'lookahead':
      case 'lookbehind':
        return { kind: 'look', body: this.choice(node.alternatives), behind: node.kind === 'lookbehind' };
    }
  }

  /** The units that the atom matches. Case is ignored among the members, before negation. */
  private set(atom: AST.Character | AST.CharacterSet | AST.CharacterClass): CharSet {
    const known = this.sets.get(atom.raw);
    if (known !== undefined) return known;
    const members = atom.type === 'CharacterClass' ? CharSet.union(atom.elements.map(membersOf)) : membersOf(atom);
    const folded = this.ignoreCase ? members.ignoringCase() : members;
    const set = atom.type === 'CharacterClass' && atom.negate ? folded.complement() : folded;
    this.sets.set(atom.raw, set);
    return set;
  }
}

function membersOf(element: AST.CharacterClassElement | AST.Character | AST.CharacterSet): CharSet {
  if (element.type === 'Character') return CharSet.of([element.value, element.value]);
  if (element.type === 'CharacterClassRange') return CharSet.of([element.min.value, element.max.value]);
  if (element.type !== 'CharacterSet') throw new TypeError(`${element.type} needs the flag v.`);
  switch (element.kind) {
    case 'any':
      return lineEndUnits.complement();
    case 'digit':
      return element.negate ? digitUnits.complement() : digitUnits;
    case 'space':
      return element.negate ? spaceUnits.complement() : spaceUnits;
    case 'word':
      return element.negate ? wordUnits.complement() : wordUnits;
    case 'property':
      throw new TypeError('A property needs the flag u.');
  }
}

/** The nesting depth of the pattern's parts. */
export function nestingOf(pattern: Pattern): number {
  switch (pattern.kind) {
    case 'set':
    case 'assertion':
    case 'backReference':
      return 1;
    case 'sequence':
      return 1 + deepest(pattern.items);
    case 'choice':
      return 1 + deepest(pattern.options);
    case 'repeat':
    case 'group':
    case 'look':
      return 1 + nestingOf(pattern.body);
  }
}

const deepest = (patterns: readonly Pattern[]): number =>
  patterns.reduce((maxNesting, pattern) => Math.max(maxNesting, nestingOf(pattern)), 0);
