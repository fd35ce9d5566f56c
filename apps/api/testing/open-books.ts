import { fillItems, tenantScope } from '@tieout/domain';
import { eventually, openBooks, type Books } from './reconciliation';
import type { TestApi } from './test-api';

/** Books whose two datasets are the sides of a reconciliation. */
export interface ReconciledBooks extends Books {
  id: string;
  /** Reads the remaining amounts of open items, by external id. */
  open(query?: string): Promise<Record<string, number | string | null>>;
  /** Ties records by their external ids. */
  tie(left: readonly string[], right: readonly string[], more?: object): ReturnType<Books['tenant']['api']['post']>;
}

interface OpenItemBody {
  external_id: string;
  remaining_amount: number | string | null;
}

/** A rule set that may be the pass of a reconciliation. */
export const passRules = {
  engine: 'jsonata-batch',
  params: {
    Tmatch: 0.9,
    Tpossible: 0.5,
    assignment: 'one_to_one',
    blocking: { amountKey: 'amount', dateKey: 'date', dateToleranceDays: 3 },
    matchers: [{ expr: 'left.ref = right.ref' }],
  },
};

/** Opens books by a rule set over amount and date, and a reconciliation with it as its one pass. */
export async function openReconciliation(
  api: TestApi,
  { lefts, rights, ...more }: { lefts: readonly object[]; rights: readonly object[] } & Record<string, unknown>,
): Promise<ReconciledBooks> {
  const books = await openBooks(api, lefts, rights);
  const { tenant } = books;
  const ruleSet = await books.ruleSet(passRules);
  const { body } = await tenant.api
    .post('/v1/reconciliations', {
      name: 'bank',
      leftDatasetIds: [books.leftId],
      rightDatasetIds: [books.rightId],
      ruleSetIds: [ruleSet.id],
      ...more,
    })
    .expect(201);
  const { id } = body as { id: string };
  // Another process of the test may be filling: then this one returns early.
  await eventually(
    async () => {
      await fillItems(tenantScope(api.service.deps, tenant.tenantId), id);
      return ((await tenant.api.get(`/v1/reconciliations/${id}`).expect(200)).body as { status: string }).status;
    },
    (status) => status === 'ready',
  );
  const idsOf = (names: readonly string[]): (string | undefined)[] => names.map((name) => books.recordIds.get(name));
  return {
    ...books,
    id,
    open: async (query = '') => {
      const answer = await tenant.api.get(`/v1/reconciliations/${id}/open-items?limit=100&${query}`).expect(200);
      const { items } = answer.body as { items: OpenItemBody[] };
      return Object.fromEntries(items.map((item) => [item.external_id, item.remaining_amount]));
    },
    tie: (left, right, rest = {}) =>
      tenant.api.post('/v1/match-groups', { reconciliationId: id, left: idsOf(left), right: idsOf(right), ...rest }),
  };
}
