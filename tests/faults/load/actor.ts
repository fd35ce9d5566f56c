import type { FaultClient } from '../client';
import type { Scale } from '../faults';
import type { RoundRandom } from '../random';
import type { World } from '../world';

/** A tenant and random choices for one part of the load. */
export interface ActorResources {
  world: World;
  client: FaultClient;
  random: RoundRandom;
  scale: Scale;
  /** The faults are over: begin nothing new. */
  isOver(): boolean;
}

/** Says what is not as it must be; asked when all work is done. */
export type Judge = () => Promise<string[]>;

/** A part of the load: works while things fail, gets done what it has begun, and knows what must be there then. */
export type LoadActor = (stage: ActorResources) => Promise<Judge>;

/** Reports a difference in short form. */
export function differs(what: string, found: unknown, expected: unknown): string[] {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  return a === b ? [] : [`${what}: ${short(a)} instead of ${short(b)}`];
}

const short = (text: string | undefined): string =>
  text === undefined || text.length <= 300 ? String(text) : `${text.slice(0, 300)}…`;
