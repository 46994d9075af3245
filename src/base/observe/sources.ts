/** Figures that parts of the service report to the metrics. */

/** Connections of the pool */
export interface PoolUse {
  /** Busy or idle */
  open: number;
  idle: number;
  /** Statements and transactions that wait for a connection */
  waiting: number;
  max: number;
}

/** How far a replica lags behind */
export interface Lag {
  /** Changes that it hasn't applied yet */
  bytes: number;
  /** Age of the last transaction that it has applied; 0 if it has applied everything */
  seconds: number;
}

/** State of a replica, for operators */
export interface ReplicaState {
  isUsed(): boolean;
  poolUse(): PoolUse;
  /** @returns undefined if the lag isn't known */
  lag(): Promise<Lag | undefined>;
}

/** State of the streets of maps */
interface StreetsState {
  /** Null while the archive can't be read */
  current(): object | null;
  stats: Record<'read' | 'remembered' | 'lost' | 'damaged', number>;
}

/** Pending work and used units of the whole service */
export interface Backlog {
  /** ZIP codes pending review */
  reviews: number;
  /** Units used this month */
  units: number;
  /** Emails waiting to be sent */
  mails: number;
  /** Age of the oldest waiting email, in seconds; 0 if there is none */
  oldestMailSeconds: number;
  /** Deliveries that wait for webhooks that are on */
  webhooks: number;
  /** Age of the oldest of them, in seconds; 0 if there is none */
  oldestWebhookSeconds: number;
}

/** Sources of the metrics. */
export interface MetricSources {
  renderer: {
    engine: string;
    stats: Record<'queued' | 'running' | 'done' | 'failed' | 'lost', number>;
  };
  /** Null or undefined if maps have none */
  streets?: StreetsState | null | undefined;
  /** Connections of the pool; undefined if the database doesn't report them */
  poolUse?: (() => PoolUse) | undefined;
  /** Undefined without a replica */
  replica?: ReplicaState | undefined;
  /** Pending work, counted in the database; undefined in processes that don't report it */
  backlog?: () => Promise<Backlog | null>;
}
