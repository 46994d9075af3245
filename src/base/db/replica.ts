/**
 * A streaming replica that serves reads of imported data. It may lag behind the primary, be slow, or
 * disappear at any time, so reads are attempts: if the replica can't answer them, the primary does.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../errors.ts';
import type { Lag, ReplicaState } from '../observe/sources.ts';
import { tally } from '../observe/tally.ts';
import type { Statement } from './batch.ts';
import type { Queryable } from './queryable.ts';
import type { Deadlines } from './deadlines.ts';
import { isUnreachable } from './failures.ts';
import { OtherVersionError, readVersion, type DataVersion } from './imported-data.ts';
import { openLiveness } from './liveness.ts';
import { openPool } from './pool.ts';
import { withStatements } from './statements.ts';
import { SHARED_READER } from './tenant-role.ts';

export interface ReplicaOptions {
  /** URL of the replica's database */
  url: string;
  /** Number of connections */
  size: number;
  /** Short, because the primary must still be able to answer within the request's own deadlines */
  deadlines: Deadlines;
  /** Called with the reason when the replica is lost, and without one when it answers again */
  changed(lost?: Error): void;
}

interface Replica extends Pick<ReplicaState, 'isUsed' | 'poolUse'>, Queryable {
  /**
   * Runs reads.
   * @param take returns the reads once there is a connection
   * @returns undefined if the replica can't answer the reads at this version now
   */
  tryAt(version: DataVersion, take: () => readonly Statement[]): Promise<object[][] | undefined>;
  close(graceMs: number): Promise<void>;
}

/** Interval at which a lost replica is tested. Requests don't wait for it. */
const RETRY_MS = 1_000;
/**
 * After a failed statement, or one that found another version, the primary serves all reads for this long.
 */
const PAUSE_MS = 250;

export function openReplica({ url, size, deadlines, changed }: ReplicaOptions): Replica {
  const server = { address: { connectionString: asReader(url) }, deadlines };
  const pool = openPool({ ...server, size, report: () => {} });
  const liveness = openLiveness(server);
  const isUsed = () => !isLost && performance.now() >= pausedUntil;
  let isLost = false;
  let pausedUntil = 0;
  let isClosed = false;

  async function lose(reason: Error): Promise<void> {
    if (isLost || isClosed) return;
    isLost = true;
    changed(reason);
    do await delay(RETRY_MS, undefined, { ref: false });
    while (!isClosed && !(await liveness.responds()));
    isLost = false;
    if (!isClosed) changed();
  }

  return {
    async tryAt(version, take) {
      if (!isUsed()) {
        tally.reads.skipped++;
        return undefined;
      }
      try {
        const rows = await withStatements(pool, { deadlines }, (run) =>
          readVersion(run, version, take(), true),
        );
        tally.reads.replica++;
        return rows;
      } catch (error) {
        if (isGone(error)) void lose(error as Error);
        else pausedUntil = performance.now() + PAUSE_MS;
        tally.reads[error instanceof OtherVersionError ? 'behind' : 'failed']++;
        return undefined;
      }
    },
    query: (sql, values) => withStatements(pool, { deadlines }, (run) => run(sql, values)),
    isUsed,
    poolUse: () => pool.use(),
    async close(graceMs) {
      isClosed = true;
      await Promise.all([liveness.close(), pool.close(graceMs)]);
    },
  };
}

/**
 * Whether the replica failed instead of the statement. A statement fails, for example, if it blocks a
 * change that the replica must apply.
 */
const isGone = (error: unknown) => isUnreachable(error) || error instanceof ServiceError;

/** Adds the role to the options that the server applies to new connections. */
function asReader(url: string): string {
  const address = new URL(url);
  const given = address.searchParams.get('options') ?? '';
  address.searchParams.set('options', `${given} -c role=${SHARED_READER}`.trim());
  return address.href;
}

/** @returns undefined if the server isn't a replica */
export async function replicaLag(primary: Queryable, replica: Queryable): Promise<Lag | undefined> {
  const [position] = await primary.query<{ lsn: string }>(
    'select pg_current_wal_lsn()::text as lsn',
  );
  const [lag] = await replica.query<Lag | Record<keyof Lag, null>>(
    `select greatest(bytes, 0) as bytes, case when bytes <= 0 then 0
       else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 end as seconds
     from (select pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()) as bytes
           where pg_is_in_recovery()) position`,
    [position!.lsn],
  );
  return lag && lag.bytes !== null ? lag : undefined;
}
