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

/** What the service promises on an idle machine, in milliseconds. The table names a goal that was missed. */
export const GOALS = { answeredMs: 5_000, cachedMs: 100, healthMs: 2_000, recoveredMs: 2_000 };

/**
 * Factor of all limits of time, beyond which a test fails: it may run beside others, on machines of any speed. The
 * faults that it looks for took minutes.
 */
export const SLACK = 5;
