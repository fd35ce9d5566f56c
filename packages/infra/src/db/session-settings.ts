import { escapeLiteral } from 'pg';
import { prepareBecomeTenant } from './tenant-role';

/**
 * An idle connection of a pool is kept for a minute, so that the next burst of work uses it again. A new one takes
 * 30 ms of CPU on the server, and as much again until it has read the catalog and compiled BullMQ's functions.
 */
export const idleTimeoutMs = 60_000;

/** Ends a statement within a second after its client is gone. Servers on Windows refuse the setting. */
const endWithoutClient = `do $$ begin
     set client_connection_check_interval = '1s';
   exception when invalid_parameter_value then null; end $$`;

/**
 * Compiling a statement takes longer than most of ours run. PostgreSQL up to 17 also counts the cost of what a
 * statement rules out, and so compiles each one that rules out a kind of join or scan.
 */
const noCompilation = 'set jit = off';

/**
 * After half a minute, frees what an unreachable process holds: the server probes its client. A client that answers but
 * is idle in a transaction gets more time than any step of the work needs between two statements.
 */
const commonSettings = `${noCompilation}; set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5;
   set tcp_keepalives_count = 4; set tcp_user_timeout = '30s';
   set idle_in_transaction_session_timeout = '30min'; ${endWithoutClient}; ${prepareBecomeTenant}`;

/** @param values our own settings, by name */
export const sessionSettings = (values: Readonly<Record<string, string>> = {}): string =>
  [commonSettings, ...Object.entries(values).map(([name, value]) => `set ${name} = ${escapeLiteral(value)}`)].join(
    '; ',
  );

/**
 * Forces a short read to use the index made for it. The planner takes a table that has just filled up for almost empty,
 * and would sort all its rows instead.
 */
export const shortReadSettings = `${commonSettings}; set enable_bitmapscan = off; set enable_sort = off`;

/** Makes a commit of a question wait for the disk of its server, and for no other server. */
export const questionSettings = `${commonSettings}; set synchronous_commit = local`;
