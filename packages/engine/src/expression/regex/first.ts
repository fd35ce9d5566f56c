import { CharSet, lineEndUnits, noUnits } from './char-set';
import type { Pattern } from './pattern';

/** Returns whether the pattern can match without reading a unit. */
export function isNullable(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case 'set':
      return false;
    case 'sequence':
      return pattern.items.every(isNullable);
    case 'choice':
      return pattern.options.some(isNullable);
    case 'repeat':
      return pattern.min === 0 || isNullable(pattern.body);
    case 'group':
      return isNullable(pattern.body);
    case 'assertion':
    case 'look':
    case 'backReference':
      return true;
  }
}

/**
 * Returns the units at which a match of the pattern can begin, given those that can follow it. Returns all units where
 * one unit does not decide. The end of the text is not counted.
 */
export function firstUnits(pattern: Pattern, next: CharSet): CharSet {
  switch (pattern.kind) {
    case 'set':
      return pattern.set;
    case 'sequence':
      return pattern.items.reduceRight((after, item) => firstUnits(item, after), next);
    case 'choice':
      return CharSet.union(pattern.options.map((option) => firstUnits(option, next)));
    case 'repeat': {
      if (pattern.max === 0) return next;
      const body = firstUnits(pattern.body, next);
      return isNullable(pattern) ? CharSet.union([body, next]) : body;
    }
    case 'group':
      return firstUnits(pattern.body, next);
    case 'assertion':
      if (pattern.is === 'textEnd') return noUnits;
      return pattern.is === 'lineEnd' ? lineEndUnits : next;
    case 'look':
    case 'backReference':
      return noUnits.complement();
  }
}
