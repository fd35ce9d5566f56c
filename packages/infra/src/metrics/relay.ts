import { measures, type Measure } from './definitions';

/** Collects what is measured in a child process, for the parent to keep: a series must not end with the child that began it. */
export function collectMeasures(): () => Measure[] {
  let collected: Measure[] = [];
  measures.subscribe((message) => void collected.push(message as Measure));
  return () => {
    const taken = collected;
    collected = [];
    return taken;
  };
}

/** In the parent: as if it had been measured here. */
export function replayMeasures(taken: readonly Measure[]): void {
  if (measures.hasSubscribers) for (const measure of taken) measures.publish(measure);
}
