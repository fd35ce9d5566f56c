import fc from 'fast-check';
import { readId, writeId } from '@tieout/infra';
import { compareIds, directoryOf } from './directory';

const sortedIds = fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 60 }).map((ids) => ids.sort());

function bytesOf(ids: readonly string[]): Buffer {
  const bytes = Buffer.alloc(ids.length * 16);
  ids.forEach((id, seq) => writeId(bytes, seq * 16, id));
  return bytes;
}

test('an id is read as it was written', () => {
  fc.assert(
    fc.property(sortedIds, (ids) => {
      expect(ids.map((_, seq) => readId(bytesOf(ids), seq * 16))).toEqual(ids);
    }),
  );
});

test('every record is found by its id', () => {
  fc.assert(
    fc.property(sortedIds, (ids) => {
      const directory = directoryOf(bytesOf(ids), new Uint8Array(ids.length));
      expect(ids.map((id) => directory.seqOf(id))).toEqual(ids.map((_, seq) => seq));
    }),
  );
});

test('a missing id is not found', () => {
  fc.assert(
    fc.property(sortedIds, fc.uuid(), (ids, other) => {
      fc.pre(!ids.includes(other));
      expect(directoryOf(bytesOf(ids), new Uint8Array(ids.length)).seqOf(other)).toBe(-1);
    }),
  );
});

test('ids are ordered as their texts are', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      const expected = one < other ? -1 : one > other ? 1 : 0;
      expect(Math.sign(compareIds(bytesOf([one]), 0, bytesOf([other]), 0))).toBe(expected);
    }),
  );
});
