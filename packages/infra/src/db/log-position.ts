import { Query } from 'pg';
import type { SharedConnections } from './shared-connections';
import { valueTypes } from './statements';

/** A place in the write-ahead log of a database. */
export interface LogPosition {
  /** The cluster, its timeline and the database: places of different histories cannot be compared. */
  history: string;
  bytes: bigint;
}

const historyWith = (timeline: string): string =>
  `(select system_identifier from pg_control_system()) || '/' || ${timeline} || '/' || current_database()`;

/**
 * The end of the log, with all that any statement of the primary can see. A commit that does not wait for the disk is
 * seen before it is flushed, and standbys get what is flushed: a small commit brings the rest to disk, which would
 * wait up to 0.2 s. Behind a full page the place of insertion also counts the header of the next one, which no standby
 * replays before something follows; a commit takes 40 bytes or more.
 */
const primaryPosition = `select ${historyWith(`('x' || left(pg_walfile_name(flushed), 8))::bit(32)::int`)} as history,
    (case when inserted - flushed < 40 then flushed else pg_logical_emit_message(true, 'tieout', '') end
      - '0/0')::int8 as bytes
  from (select pg_current_wal_flush_lsn() as flushed, pg_current_wal_insert_lsn() as inserted) as log`;

/** The place up to which a standby has replayed the log; null once it is a primary. */
const standbyPosition = `select ${historyWith('(select timeline_id from pg_control_checkpoint())')} as history,
    case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::int8 end as bytes`;

async function ask(shared: SharedConnections, name: string, text: string): Promise<LogPosition> {
  const query = { name, text, types: valueTypes };
  const { rows } = await shared.run<{ rows: { history: string; bytes: bigint | null }[] }>(
    (callback) => new Query(query, [], (error, result) => callback(error ?? null, result)),
  );
  const [{ history, bytes } = { history: '', bytes: null }] = rows;
  if (bytes === null) throw new Error('the server is not a standby');
  return { history, bytes };
}

/** Asks a primary for the end of its log. */
export const askEnd = (shared: SharedConnections): Promise<LogPosition> =>
  ask(shared, 'tieout_log_end', primaryPosition);

/** Asks a standby how far it has replayed the log. */
export const askReplayed = (shared: SharedConnections): Promise<LogPosition> =>
  ask(shared, 'tieout_log_replayed', standbyPosition);
