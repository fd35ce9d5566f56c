import fc from 'fast-check';
import { readWhole, type Place, type ProviderPage } from './walk';

interface Row {
  id: string;
}

const rowsOf = (count: number, from = 0): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(index + from) }));
const ids = (rows: readonly Row[]): string[] => rows.map(({ id }) => id).sort();

/** A list in pages with numbers; `change` is called before each page is read. */
function numbered(list: Row[], limit: number, change: (list: Row[], reads: number) => void = () => undefined) {
  let reads = 0;
  return {
    reads: () => reads,
    read: async (place: Place): Promise<ProviderPage<Row>> => {
      change(list, ++reads);
      const page = 'page' in place ? place.page : 1;
      return { rows: list.slice((page - 1) * limit, page * limit), next: undefined };
    },
  };
}

test.each([0, 1, 9, 10, 11, 20, 35])('every row of %d is read once, in pages of 10 with numbers', async (count) => {
  expect(ids(await readWhole(numbered(rowsOf(count), 10).read))).toEqual(ids(rowsOf(count)));
});

test('a list of one page is read once, and the empty page behind it', async () => {
  const { read, reads } = numbered(rowsOf(7), 10);
  await readWhole(read);
  expect(reads()).toBe(2);
});

test('a provider that pays no heed to the page gives what it has', async () => {
  expect(ids(await readWhole(async () => ({ rows: rowsOf(10), next: undefined })))).toEqual(ids(rowsOf(10)));
});

test('cursors are followed to their end', async () => {
  const read = async (place: Place): Promise<ProviderPage<Row>> => {
    const at = 'cursor' in place ? Number(place.cursor) : 0;
    return { rows: rowsOf(10, at), next: at === 40 ? null : String(at + 10) };
  };
  expect(ids(await readWhole(read))).toEqual(ids(rowsOf(50)));
});

test('cursors that lead in a circle end', async () => {
  expect(ids(await readWhole(async () => ({ rows: rowsOf(3), next: 'again' })))).toEqual(ids(rowsOf(3)));
});

test.each([
  ['pages', undefined],
  ['cursors', (n: number) => String(n)],
])('a list without end is refused: %s', async (_title, next) => {
  let reads = 0;
  const endless = async (): Promise<ProviderPage<Row>> => ({ rows: rowsOf(200, 200 * ++reads), next: next?.(reads) });
  await expect(readWhole(endless)).rejects.toMatchObject({ code: 'provider_bad_response' });
  expect(reads).toBeLessThanOrEqual(501);
});

test('pages without rows that go on for ever are refused', async () => {
  let reads = 0;
  await expect(readWhole(async () => ({ rows: [], next: String(++reads) }))).rejects.toMatchObject({
    code: 'provider_bad_response',
  });
});

describe('a list that changes while it is read', () => {
  const change = fc.record({
    at: fc.integer({ min: 1, max: 12 }),
    index: fc.nat(60),
    kind: fc.constantFrom('add', 'remove'),
  });

  test('no row that is there all the time is missed, and none comes twice', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(change, { maxLength: 6 }),
        async (count, limit, changes) => {
          const list = rowsOf(count);
          const removed = new Set<string>();
          const provider = numbered(list, limit, (rows, reads) => {
            for (const { index, kind } of changes.filter(({ at }) => at === reads)) {
              if (kind === 'add')
                rows.splice(Math.min(index, rows.length), 0, { id: `new ${reads} ${index} ${rows.length}` });
              else for (const { id } of rows.splice(index, 1)) removed.add(id);
            }
          });
          const found = (await readWhole(provider.read)).map(({ id }) => id);
          expect(new Set(found).size).toBe(found.length);
          expect(found).toEqual(
            expect.arrayContaining(
              rowsOf(count)
                .map(({ id }) => id)
                .filter((id) => !removed.has(id)),
            ),
          );
        },
      ),
      { numRuns: 300 },
    ));
});
