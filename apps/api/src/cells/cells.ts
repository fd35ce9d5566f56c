import { createHash } from 'node:crypto';
import {
  createRateLimiter,
  readPlaces,
  sharedBuckets,
  type Authenticator,
  type DomainDeps,
  type RateLimiter,
  type RateLimits,
} from '@tieout/domain';
import { mainDatabase, messageOf, throttleLog, type Logger } from '@tieout/infra';
import { LRUCache } from 'lru-cache';
import { askAll, type CellAnswer } from './ask';

/** A database with its own tenants, queues and workers. */
export interface Cell {
  name: string;
  deps: DomainDeps;
  authenticator: Authenticator;
}

const maxRemembered = 10_000;
const renewEveryMs = 1_000;
const logFailureEveryMs = 60_000;

const isServed = (state: unknown): boolean => state !== 'moving';

/** Finds the cell of each request. A tenant that one does not serve is looked for in the others. */
export class TenantCells {
  readonly authenticator: Authenticator;
  private readonly main: Cell;
  /** The cells in which keys and sessions were last found, by a digest. */
  private readonly credentials = new LRUCache<string, Cell>({ max: maxRemembered });
  private readonly tenants = new LRUCache<string, Cell>({ max: maxRemembered });
  /** The directory of the database `main`, as it was when that last answered. */
  private readonly directory = new Map<string, string>();
  private latestChange: Date | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly list: readonly Cell[],
    private readonly options: { logger: Logger; newTenants: string },
  ) {
    this.main = this.named(mainDatabase);
    this.authenticator = {
      identify: (presented, withPermit) =>
        this.identified(presented.key, (cell) => cell.authenticator.identify(presented, withPermit)),
      identifySession: (presented) =>
        this.identified(presented.token, (cell) => cell.authenticator.identifySession(presented)),
      tenantById: async (id) => {
        const found = await askAll(this.orderFor(id), (cell) => cell.authenticator.tenantById(id), {
          isFinal: ({ state }) => isServed(state),
        });
        return this.noted(id, found);
      },
      close: async () => {
        await Promise.all(list.map(({ authenticator }) => authenticator.close()));
      },
    };
  }

  /** Reads the directory, and renews it every second. Resolves once the database `main` has answered, or failed to. */
  async start(): Promise<void> {
    const onFailed = throttleLog(logFailureEveryMs, (error: unknown) =>
      this.options.logger.warn(
        { reason: messageOf(error) },
        'the directory of tenants cannot be read: the last one is used',
      ),
    );
    const renew = async (): Promise<void> => {
      await this.renew().catch(onFailed);
      this.timer = setTimeout(() => void renew(), renewEveryMs).unref();
    };
    await renew();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  get forNewTenants(): Cell {
    return this.named(this.options.newTenants);
  }

  /** Everything that the use cases need, of each cell; `main` first. */
  get domains(): DomainDeps[] {
    return this.list.map(({ deps }) => deps);
  }

  /** @throws Error for a name that is not configured */
  named(name: string): Cell {
    const cell = this.list.find((one) => one.name === name);
    if (!cell) throw new Error(`DATABASES has no entry "${name}"`);
    return cell;
  }

  /** The cell where the tenant was last found. A caller has to be admitted first, which finds it. */
  of(tenantId: string): Cell {
    return this.tenants.get(tenantId) ?? this.listed(tenantId) ?? this.main;
  }

  /** Finds the cell of a tenant of any status; undefined for an id that no tenant has. */
  async locate(tenantId: string): Promise<Cell | undefined> {
    const id = tenantId.toLowerCase();
    const found = await askAll(this.orderFor(id), (cell) => statusIn(cell, id), {
      isFinal: (status) => status !== 'moved' && status !== 'arriving',
    });
    return found?.cell;
  }

  /** Limits requests by the buckets of the cell of their tenant. */
  rateLimiter(limits: RateLimits): RateLimiter {
    const limiters = new Map(
      this.list.map((cell): [Cell, RateLimiter] => [
        cell,
        createRateLimiter({ limits, shared: sharedBuckets(cell.deps.db.prepared), logger: this.options.logger }),
      ]),
    );
    return { take: (owner, rateClass) => limiters.get(this.of(owner))?.take(owner, rateClass) };
  }

  private listed(tenantId: string): Cell | undefined {
    const name = this.directory.get(tenantId);
    return name === undefined ? undefined : this.list.find((cell) => cell.name === name);
  }

  private async renew(): Promise<void> {
    for (const { id, database, changedAt } of await readPlaces(this.main.deps.db.system, this.latestChange)) {
      if (this.directory.get(id) !== database) this.tenants.delete(id);
      this.directory.set(id, database);
      this.latestChange = changedAt;
    }
  }

  /** All cells, and the first one to ask: where the tenant was last found or is listed. */
  private orderFor(tenantId: string): { cells: readonly Cell[]; first: Cell | undefined } {
    return { cells: this.list, first: this.tenants.get(tenantId) ?? this.listed(tenantId) };
  }

  private async identified<I extends { kind: string; tenantId?: string; state?: string }>(
    credential: string,
    identify: (cell: Cell) => Promise<I | undefined>,
  ): Promise<I | undefined> {
    // The memory of a process holds no list of secrets.
    const digest = createHash('sha256').update(credential).digest('base64');
    const order = { cells: this.list, first: this.credentials.get(digest) };
    const found = await askAll(order, identify, { isFinal: ({ state }) => isServed(state) });
    if (found?.answer.tenantId === undefined) return found?.answer;
    this.credentials.set(digest, found.cell);
    return this.noted(found.answer.tenantId, found);
  }

  private noted<T>(tenantId: string, found: CellAnswer<Cell, T> | undefined): T | undefined {
    if (!found) return undefined;
    this.tenants.set(tenantId.toLowerCase(), found.cell);
    return found.answer;
  }
}

async function statusIn({ deps }: Cell, id: string): Promise<string | undefined> {
  const [row] = await deps.db.system.query<{ status: string }>('select status from tenants where id = $1::uuid', [id]);
  return row?.status;
}
