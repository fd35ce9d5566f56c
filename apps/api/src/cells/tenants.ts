import {
  createTenant,
  forgetMove,
  listTenants,
  writePlace,
  type Origin,
  type Page,
  type PageRequest,
  type Tenant,
} from '@tieout/domain';
import { AppError, mainDatabase, newId, type SystemDb } from '@tieout/infra';
import type { Cell, TenantCells } from './cells';

/** Lists the tenants of all cells, newest first. @throws the error of a cell that is away: a part is no list */
export async function listOfAll(cells: TenantCells, request: PageRequest): Promise<Page<Tenant>> {
  const { page, limit } = request;
  const newestOf = (rows: number): Promise<Page<Tenant>[]> =>
    Promise.all(cells.domains.map(({ db }) => listTenants(db.system, { page: 1, limit: rows })));
  const total = (await newestOf(1)).reduce((sum, one) => sum + one.total, 0);
  const [from, to] = [(page - 1) * limit, Math.min(page * limit, total)];
  if (from >= to) return { items: [], total, page, limit, nextCursor: null };
  const newest = (await newestOf(to)).flatMap(({ items }) => items);
  newest.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
  return { items: newest.slice(from, to), total, page, limit, nextCursor: null };
}

/**
 * Creates a tenant in the cell for new ones. The directory names it first: a crash in between leaves a name of nothing.
 * @param main the database `main`, in the transaction of the request
 * @throws AppError conflict when a tenant of any cell has this id
 */
export async function createInCell(
  cells: TenantCells,
  main: SystemDb,
  { tenant, origin }: { tenant: { id?: string; name: string }; origin: Origin },
): Promise<Tenant> {
  const { id = newId(), name } = tenant;
  if (tenant.id !== undefined && (await cells.locate(id)))
    throw new AppError('conflict', 'A tenant with this id exists');
  return createTenant(await enter(cells.forNewTenants, main, id), { id, name }, origin);
}

/** The database of a tenant that may be missing, and is then new. */
export async function databaseFor(cells: TenantCells, main: SystemDb, id: string): Promise<SystemDb> {
  const known = await cells.locate(id);
  if (!known) return enter(cells.forNewTenants, main, id);
  return known.name === mainDatabase ? main : known.deps.db.system;
}

async function enter(cell: Cell, main: SystemDb, id: string): Promise<SystemDb> {
  const database = cell.name === mainDatabase ? main : cell.deps.db.system;
  if (database !== main) await writePlace(main, id, cell.name);
  await forgetMove(database, id);
  return database;
}
