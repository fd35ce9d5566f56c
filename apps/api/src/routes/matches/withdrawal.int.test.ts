import { openBooks, startTestApi, type Books, type MatchBody, type TestApi } from '../../../testing';
import { openReconciliation } from '../../../testing/open-books';
import { runOf, tiedBy } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

/** l0|r0 and l0|r1, l1|r0 of a lower score, and l1|r1, which is POSSIBLE. */
async function openCase(assignment: string): Promise<{
  books: Books;
  id(pair: string): Promise<string>;
  review(id: string, body: object, status?: number): Promise<MatchBody>;
}> {
  const books = await openBooks(api, [{ n: 1 }, { n: 0.9 }], [{ n: 1 }, { n: 0.85 }]);
  await books.ruleSet({ jsonataExpr: 'left.n * right.n', params: { Tmatch: 0.8, Tpossible: 0.4, assignment } });
  await books.reconcile();
  return {
    books,
    id: async (pair) => (await books.matches())[pair]?.id as string,
    review: async (id, body, status = 200) =>
      (await books.tenant.api.post(`/v1/matches/${id}/review`, body).expect(status)).body as MatchBody,
  };
}

async function decisions(books: Books): Promise<Record<string, string>> {
  const found = Object.entries(await books.matches());
  return Object.fromEntries(
    found.map(([pair, { decision, review }]) => [pair, review ? `${decision} ${review.status}` : decision]),
  );
}

describe('a withdrawn review', () => {
  test.each(['confirm', 'reject'])('%s: leaves the match as if nobody had reviewed it', async (action) => {
    const { books, id, review } = await openCase('one_to_one');
    const before = await books.matches();
    const match = await id('l0|r0');
    await review(match, { action, note: 'seen' });
    expect(await review(match, { action: 'withdraw', note: 'in error' })).not.toHaveProperty('review');
    expect(await books.matches()).toEqual(before);
    await review(match, { action: 'withdraw' });
    await books.reconcile();
    expect(await decisions(books)).toEqual(
      Object.fromEntries(Object.entries(before).map(([pair, { decision }]) => [pair, decision])),
    );
    const { body } = await books.tenant.api.get('/v1/audit?action=match.withdraw').expect(200);
    expect(body).toMatchObject({
      items: [
        {
          object: { type: 'match', id: match },
          before: { review: { note: 'seen' } },
          after: { review: null },
          reason: 'in error',
        },
      ],
    });
  });

  test('of a match that a later job has replaced takes it out, and its pair is proposed again', async () => {
    const { books, id, review } = await openCase('none');
    const match = await id('l0|r0');
    await review(match, { action: 'reject' });
    await books.reconcile();
    await review(match, { action: 'withdraw' });
    expect(await decisions(books)).not.toHaveProperty('l0|r0');
    await books.reconcile();
    expect(await decisions(books)).toMatchObject({ 'l0|r0': 'MATCH' });
  });

  test('stays withdrawn when the review is sent again by its Idempotency-Key', async () => {
    const { books, id, review } = await openCase('one_to_one');
    const match = await id('l0|r0');
    const send = () =>
      books.tenant.api
        .post(`/v1/matches/${match}/review`, { action: 'reject' })
        .set('idempotency-key', 'reject-1')
        .expect(200);
    const first = await send();
    await review(match, { action: 'withdraw' });
    const again = await send();
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    expect((await decisions(books))['l0|r0']).toBe('MATCH');
  });

  test('one_to_one: is refused while another match has been confirmed for one of the records', async () => {
    const { id, review } = await openCase('one_to_one');
    const match = await id('l0|r0');
    await review(match, { action: 'reject' });
    const other = await id('l0|r1');
    await review(other, { action: 'confirm' });
    const body = await review(match, { action: 'withdraw' }, 409);
    expect(body).toMatchObject({ code: 'conflict', message: expect.stringContaining(other) as unknown });
    await review(other, { action: 'withdraw' });
    expect(await review(match, { action: 'withdraw' })).not.toHaveProperty('review');
  });

  test('of a proposal of a run makes it one again; what a group holds is released instead', async () => {
    const records = ['a', 'b'].map((ref, i) => ({ ref, amount: 10 * (i + 1), date: '2026-03-10' }));
    const own = await openReconciliation(api, { lefts: records, rights: records, accept: 'review' });
    const found = await own.matches((await runOf(api, own)).id);
    const send = (action: string, pair: string) =>
      own.tenant.api.post(`/v1/matches/${found[pair]?.id}/review`, { action });
    const proposed = async (): Promise<string[]> => {
      const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/proposals`).expect(200);
      return (body as { items: { id: string }[] }).items.map(({ id }) => id).sort();
    };
    const before = await proposed();
    await send('reject', 'l0|r0').expect(200);
    expect(await proposed()).toEqual([found['l1|r1']?.id]);
    await send('withdraw', 'l0|r0').expect(200);
    expect(await proposed()).toEqual(before);
    await send('confirm', 'l0|r0').expect(200);
    const { body } = await send('withdraw', 'l0|r0').expect(409);
    expect(body).toMatchObject({ code: 'conflict', message: expect.stringContaining('release it') as unknown });
    expect(await tiedBy(own)).toEqual(['l0 r0']);
    const many = await own.tenant.api.post('/v1/matches/review', {
      ids: [found['l0|r0']?.id, found['l1|r1']?.id],
      action: 'withdraw',
    });
    expect(many.body).toMatchObject({ done: 1, failed: [{ id: found['l0|r0']?.id, code: 'conflict' }] });
  });
});
