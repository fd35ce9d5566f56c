import { paginate } from './paginate';

interface Page {
  items: number[];
  next_cursor?: string | null;
  nextCursor?: string | null;
}

function listOf(pages: Record<string, Page>) {
  const asked: unknown[] = [];
  const list = (input: { query?: { cursor?: string; limit?: number } } = {}): Promise<Page> => {
    asked.push(input.query);
    return Promise.resolve(pages[input.query?.cursor ?? ''] as Page);
  };
  return { list, asked };
}

test.each([['next_cursor'], ['nextCursor']] as const)(
  'all items of all pages come in their order: %s',
  async (name) => {
    const { list, asked } = listOf({ '': { items: [1, 2], [name]: 'b' }, b: { items: [3], [name]: null } });
    const items: number[] = [];
    for await (const item of paginate(list, { query: { limit: 2 } })) items.push(item);
    expect(items).toEqual([1, 2, 3]);
    expect(asked).toEqual([{ limit: 2 }, { limit: 2, cursor: 'b' }]);
  },
);

test('a page that is not wanted is not read', async () => {
  const { list, asked } = listOf({ '': { items: [1, 2], next_cursor: 'b' } });
  for await (const item of paginate(list)) if (item === 2) break;
  expect(asked).toHaveLength(1);
});

test('a list with both goes from a given page on by cursors, and ends with them', async () => {
  const asked: unknown[] = [];
  const list = ({ query }: { query?: { page?: number; cursor?: string } } = {}) => {
    asked.push(query);
    const isFirst = query?.cursor === undefined;
    return Promise.resolve({ items: [1], total: 9, page: 2, limit: 1, next_cursor: isFirst ? 'b' : null });
  };
  const items: number[] = [];
  for await (const item of paginate(list, { query: { page: 2 } })) items.push(item);
  expect([items, asked]).toEqual([
    [1, 1],
    [{ page: 2 }, { cursor: 'b' }],
  ]);
});

test('it goes on from a given cursor', async () => {
  const { list } = listOf({ b: { items: [3], next_cursor: null } });
  const items: number[] = [];
  for await (const item of paginate(list, { query: { cursor: 'b' } })) items.push(item);
  expect(items).toEqual([3]);
});

describe('a list with numbered pages', () => {
  interface NumberedPage {
    items: number[];
    total: number;
    page: number;
    limit: number;
  }

  function numbered(all: readonly number[]) {
    const asked: unknown[] = [];
    const list = ({ query }: { query?: { page?: number; limit?: number } } = {}): Promise<NumberedPage> => {
      asked.push(query);
      const { page = 1, limit = 2 } = query ?? {};
      return Promise.resolve({ items: all.slice((page - 1) * limit, page * limit), total: all.length, page, limit });
    };
    return { list, asked };
  }

  test('all items of all pages come in their order', async () => {
    const { list, asked } = numbered([1, 2, 3, 4, 5, 6]);
    const items: number[] = [];
    for await (const item of paginate(list)) items.push(item);
    expect(items).toEqual([1, 2, 3, 4, 5, 6]);
    expect(asked).toEqual([{}, { page: 2 }, { page: 3 }]);
  });

  test('it goes on from a given page', async () => {
    const { list } = numbered([1, 2, 3, 4, 5]);
    const items: number[] = [];
    for await (const item of paginate(list, { query: { page: 2 } })) items.push(item);
    expect(items).toEqual([3, 4, 5]);
  });

  test('a page that has become empty is the last', async () => {
    const list = ({ query }: { query?: { page?: number } } = {}): Promise<NumberedPage> =>
      Promise.resolve({ items: (query?.page ?? 1) === 1 ? [1, 2] : [], total: 5, page: query?.page ?? 1, limit: 2 });
    const items: number[] = [];
    for await (const item of paginate(list)) items.push(item);
    expect(items).toEqual([1, 2]);
  });
});
