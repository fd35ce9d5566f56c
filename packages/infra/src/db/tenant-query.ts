import { Query, type Connection } from 'pg';
import { becomeTenantStatement } from './tenant-role';
import type { DriverConnection } from './wire/driver';

/** The parts of the driver's queries that its types leave out. */
interface DriverQuery extends Query {
  prepare(connection: DriverConnection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}

export type QueryCallback = (error: Error | null, result: unknown) => void;
type QueryArguments = [config: unknown, values: unknown, callback: QueryCallback | undefined];

const DriverQuery = Query as unknown as new (...args: QueryArguments) => DriverQuery;

/**
 * A statement that runs as a tenant. The statement that sets the tenant precedes it in the same message and holds until
 * the end of the transaction, which contains only this statement. It costs no round trip and leaves nothing on the
 * connection, even after a failure.
 */
export class TenantQuery extends DriverQuery {
  private isTenant = false;

  constructor(
    private readonly tenantId: string,
    ...query: QueryArguments
  ) {
    super(...query);
  }

  /** Selects the extended protocol, the only one that takes several statements as one. */
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
