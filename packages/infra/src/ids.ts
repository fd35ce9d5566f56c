import { randomFillSync } from 'node:crypto';

const hex = Array.from({ length: 256 }, (_, i) => (i + 256).toString(16).slice(1));
const pool = Buffer.alloc(8 * 1024);
let poolOffset = pool.length;
let lastMs = 0;
let counter = 0;

const h = (byte: number): string => hex[byte & 255] as string;

/**
 * A UUID v7 (RFC 9562, method 1: a 12-bit counter behind the millisecond), strictly increasing
 * within a process even if the clock steps back. 62 bits are random.
 */
export function newId(nowMs: number = Date.now()): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = 0;
  } else if (++counter > 4095) {
    lastMs++;
    counter = 0;
  }
  if (poolOffset + 8 > pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const high = Math.floor(lastMs / 4294967296);
  const low = lastMs >>> 0;
  const r = poolOffset;
  poolOffset += 8;
  const b = (i: number): number => pool[r + i] as number;
  return (
    h(high >>> 8) + h(high) + h(low >>> 24) + h(low >>> 16) + '-' + h(low >>> 8) + h(low) + '-' +
    h(0x70 | (counter >> 8)) + h(counter) + '-' + h(0x80 | (b(0) & 63)) + h(b(1)) + '-' +
    h(b(2)) + h(b(3)) + h(b(4)) + h(b(5)) + h(b(6)) + h(b(7))
  );
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for any UUID in its canonical text form, whatever its version. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}
