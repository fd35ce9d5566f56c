const secondsPerDay = 86_400;
/** Clocks change at quarters of an hour only. */
const secondsPerSlot = 900;
const maxSlots = 20_000;

/** Returns the day in a time zone of a moment, in seconds since 1970-01-01 UTC. */
export type DayInZone = (seconds: number) => number;

/** Returns the seconds by which the clock of a time zone is ahead of UTC at a moment. */
export type OffsetInZone = (seconds: number) => number;

const zones = new Map<string, OffsetInZone>();

/** Returns whether a text names a time zone of the IANA database. */
export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '' && /[A-Za-z]/.test(name);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Returns the reader of days in a time zone. */
export function dayInZone(name: string): DayInZone {
  const offsetOf = offsetInZone(name);
  return (seconds) => Math.floor((seconds + offsetOf(seconds)) / secondsPerDay);
}

/** Returns the reader of offsets of a time zone. It caches those of quarters of an hour. */
export function offsetInZone(name: string): OffsetInZone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const made = name === 'UTC' ? () => 0 : readerOf(name);
  zones.set(name, made);
  return made;
}

function readerOf(name: string): OffsetInZone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    era: 'narrow',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const offsets = new Map<number, number>();
  const offsetOf = (slot: number): number => {
    const moment = slot * secondsPerSlot * 1_000;
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
    const read = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
    const local = new Date(0);
    // The year 0 is 1 BC.
    const year = parts.get('era') === 'B' ? 1 - read('year') : read('year');
    local.setUTCFullYear(year, read('month') - 1, read('day'));
    local.setUTCHours(read('hour'), read('minute'), read('second'));
    return (local.getTime() - moment) / 1_000;
  };
  return (seconds) => {
    const slot = Math.floor(seconds / secondsPerSlot);
    let offset = offsets.get(slot);
    if (offset === undefined) {
      if (offsets.size === maxSlots) offsets.clear();
      offsets.set(slot, (offset = offsetOf(slot)));
    }
    return offset;
  };
}
