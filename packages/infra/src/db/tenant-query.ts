import { Query, type Connection } from 'pg';
import { becomeTenantStatement } from './tenant-role';

/** What the driver's queries have besides what its types tell. */
interface DriverQuery extends Query {
  prepare(connection: DriverConnection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}

interface DriverConnection extends Connection {
  bind(config: { statement: string; values: string[] }): void;
  execute(config: object): void;
}

export type QueryCallback = (error: Error | null, result: unknown) => void;
type QueryArguments = [config: unknown, values: unknown, callback: QueryCallback | undefined];

const DriverQuery = Query as unknown as new (...args: QueryArguments) => DriverQuery;

/**
 * A statement as a tenant. Becoming one goes before it in the same message to the server, and lasts as long as the
 * transaction, which is that of the statement alone. So it costs no round trip, and whatever happens, nothing of it is left on the connection.
 */
export class TenantQuery extends DriverQuery {
  private isTenant = false;

  constructor(
    private readonly tenantId: string,
    ...query: QueryArguments
  ) {
    super(...query);
  }

  /** Only this protocol takes several statements as one. */
  requiresPreparation(): boolean {
    return true;
  }

  override prepare(connection: DriverConnection): void {
    connection.bind({ statement: becomeTenantStatement, values: [this.tenantId] });
    connection.execute({});
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.isTenant) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.isTenant) return super.handleCommandComplete(message, connection);
    this.isTenant = true;
  }
}
