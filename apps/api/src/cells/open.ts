import {
  createAuthenticator,
  openDomain,
  queueSettings,
  readinessChecks,
  type DomainDeps,
  type DomainEnvironment,
  type OpenDomainOptions,
} from '@tieout/domain';
import {
  mainDatabase,
  type NamedDatabase,
  type QueueSettings,
  type Readiness,
  type ReadinessChecks,
} from '@tieout/infra';
import { TenantCells, type Cell } from './cells';

interface OpenCellsOptions extends OpenDomainOptions {
  databases: readonly NamedDatabase[];
  newTenants: string;
  platformKey: string;
  previousPlatformKey: string | undefined;
}

/** The opened databases of a process. */
export interface OpenedCells {
  /** Everything that the use cases need, of the database `main`. */
  main: DomainDeps;
  /** null: there is one database. */
  cells: TenantCells | null;
  /** Each database, whose tables and queues have to be there before the process starts. */
  each: readonly { name: string; deps: DomainDeps; queues: QueueSettings }[];
  checks: ReadinessChecks;
  /** One database that is away takes no process out of service: the others have tenants too. */
  isEnough: (results: Readiness['checks']) => boolean;
  close: () => Promise<void>;
}

const isRedis = (url: string | undefined): boolean => /^rediss?(\+cluster)?:/.test(url ?? '');

/**
 * Returns the settings of another database: its queues are in itself, or in Redis under a prefix with its name. The
 * replicas are those of main.
 */
function environmentOf(env: DomainEnvironment, { name, url }: NamedDatabase): DomainEnvironment {
  if (name === mainDatabase) return env;
  const { QUEUE_URL, DATABASE_REPLICA_URLS: _ofMain, ...own } = { ...env, DATABASE_URL: url };
  if (!isRedis(QUEUE_URL)) return own;
  const prefix = env.QUEUE_PREFIX.replace(/\}?$/, (end) => `_${name}${end}`);
  return { ...own, QUEUE_URL: QUEUE_URL as string, QUEUE_PREFIX: prefix };
}

/** Opens each database with its queues, and the storage that they share. */
export function openCells(options: OpenCellsOptions): OpenedCells {
  const { databases, newTenants, platformKey, previousPlatformKey, ...shared } = options;
  const opened = databases.map((database) => {
    const env = environmentOf(options.env, database);
    return { name: database.name, queues: queueSettings(env), ...openDomain({ ...shared, env }) };
  });
  const main = opened[0]?.deps as DomainDeps;
  const list = opened.map(({ name, deps }): Cell => {
    const { db } = deps;
    const keys = { platformKey, previousPlatformKey, mayBecomeKnown: true };
    return { name, deps, authenticator: createAuthenticator({ db, logger: options.logger, ...keys }) };
  });
  const cells = list.length > 1 ? new TenantCells(list, { logger: options.logger, newTenants }) : null;
  return {
    main,
    cells,
    each: opened,
    checks: Object.assign({}, ...list.map(checksOf)) as ReadinessChecks,
    isEnough: ({ running, ...results }) =>
      running !== 'failed' &&
      list.some((cell) => Object.keys(checksOf(cell)).every((check) => results[check] === 'ok')),
    close: async () => {
      cells?.stop();
      await Promise.all(opened.map(({ close }) => close()));
    },
  };
}

/** The checks of a cell, by its name beside those of `main`. */
const checksOf = ({ name, deps }: Cell): ReadinessChecks =>
  Object.fromEntries(
    Object.entries(readinessChecks(deps)).map(([check, run]) => [
      name === mainDatabase ? check : `${check}_${name}`,
      run,
    ]),
  );
