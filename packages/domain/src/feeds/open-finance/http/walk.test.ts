import fc from 'fast-check';
import { readCompleteList, type PagePosition, type ProviderPage } from './walk';

interface Row {
  id: string;
}

const rowsOf = (count: number, from = 0): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(index + from) }));
const ids = (rows: readonly Row[]): string[] => rows.map(({ id }) => id).sort();

/** A list in numbered pages; `change` is called before each page is read. */
function numbered(list: Row[], limit: number, change: (list: Row[], reads: number) => void = () => undefined) {
  let reads = 0;
  return {
    reads: () => reads,
    read: async (position: PagePosition): Promise<ProviderPage<Row>> => {
      change(list, ++reads);
      const page = 'page' in position ? position.page : 1;
      return { rows: list.slice((page - 1) * limit, page * limit), next: undefined };
    },
  };
}

test.each([0, 1, 9, 10, 11, 20, 35])('every row of %d is read once, in numbered pages of 10', async (count) => {
  expect(ids(await readCompleteList(numbered(rowsOf(count), 10).read))).toEqual(ids(rowsOf(count)));
});

test('a list of one page is read once, and the empty page after it', async () => {
  const { read, reads } = numbered(rowsOf(7), 10);
  await readCompleteList(read);
  expect(reads()).toBe(2);
});

test('a provider that ignores the page number gives its rows once', async () => {
  expect(ids(await readCompleteList(async () => ({ rows: rowsOf(10), next: undefined })))).toEqual(ids(rowsOf(10)));
});

test('cursors are followed to their end', async () => {
  const read = async (position: PagePosition): Promise<ProviderPage<Row>> => {
    const at = 'cursor' in position ? Number(position.cursor) : 0;
    return { rows: rowsOf(10, at), next: at === 40 ? null : String(at + 10) };
  };
  expect(ids(await readCompleteList(read))).toEqual(ids(rowsOf(50)));
});

test('a cycle of cursors ends', async () => {
  expect(ids(await readCompleteList(async () => ({ rows: rowsOf(3), next: 'again' })))).toEqual(ids(rowsOf(3)));
});

test.each([
  ['pages', undefined],
  ['cursors', (n: number) => String(n)],
])('a list without end is refused: %s', async (_title, next) => {
  let reads = 0;
  const endless = async (): Promise<ProviderPage<Row>> => ({ rows: rowsOf(200, 200 * ++reads), next: next?.(reads) });
  await expect(readCompleteList(endless)).rejects.toMatchObject({ code: 'provider_bad_response' });
  expect(reads).toBeLessThanOrEqual(501);
});

test('endless pages without rows are refused', async () => {
  let reads = 0;
  await expect(readCompleteList(async () => ({ rows: [], next: String(++reads) }))).rejects.toMatchObject({
    code: 'provider_bad_response',
  });
});

describe('a list that changes while it is read', () => {
  const change = fc.record({
    at: fc.integer({ min: 1, max: 12 }),
    index: fc.nat(60),
    kind: fc.constantFrom('add', 'remove'),
  });

  test('no permanent row is missed, and none is repeated', () =>
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
          const found = (await readCompleteList(provider.read)).map(({ id }) => id);
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
