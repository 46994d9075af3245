/** The figures of fault scenarios, which `npm run faults` prints as a table. */
import type { TestContext } from 'vitest';

export interface FaultFigures {
  scenario: string;
  database: 'PostGIS' | 'embedded';
  /** Longest time until a request was answered, in milliseconds */
  answeredMs?: number;
  /** Median time until a cached answer was sent, in milliseconds */
  cachedMs?: number;
  /** Time until `/healthz` reported the state, in milliseconds */
  healthMs?: number;
  /** Time after the fault until every request succeeded again, in milliseconds */
  recoveredMs?: number;
  /** Anything else, such as counts of lost or doubled writes */
  note?: string | undefined;
}

declare module 'vitest' {
  interface TaskMeta {
    faultFigures?: FaultFigures;
  }
}

export function recordFigures({ task }: Pick<TestContext, 'task'>, figures: FaultFigures): void {
  task.meta.faultFigures = figures;
}

/** Whether all scenarios run, as in `npm run faults`, rather than the short form of `npm run test:all` */
export const FULL = process.env.FAULTS === 'full';

/**
 * Factor of all limits of time. The short form runs beside other tests, on machines of any speed; the faults
 * that it looks for took minutes.
 */
export const SLACK = FULL ? 1 : 5;
