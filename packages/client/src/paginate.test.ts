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

test('it goes on from a given cursor', async () => {
  const { list } = listOf({ b: { items: [3], next_cursor: null } });
  const items: number[] = [];
  for await (const item of paginate(list, { query: { cursor: 'b' } })) items.push(item);
  expect(items).toEqual([3]);
});
