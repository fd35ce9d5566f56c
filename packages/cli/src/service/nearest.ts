import { nearNames } from '@tieout/engine';

const maxShown = 5;

/** Returns the names that are like a wanted one, else the first ones. */
export function nearest(wanted: string, names: readonly string[]): string[] {
  const near = nearNames(wanted, names);
  return near.length > 0 ? near : names.slice(0, maxShown);
}
