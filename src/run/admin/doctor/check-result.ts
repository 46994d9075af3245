/** The result of a check of `territory-admin doctor`. */
import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from '../../../base/observe/describe-error.ts';

/** `warning`: the service works, but a setting should change. `skipped`: not used, or can't be checked */
export type Status = 'ok' | 'warning' | 'failed' | 'skipped';

export interface CheckResult {
  status: Status;
  /** Description of the state */
  detail: string;
  /** Next step */
  fix?: string;
}

export interface NamedResult extends CheckResult {
  check: string;
}

export const ok = (detail: string): CheckResult => ({ status: 'ok', detail });
export const skipped = (detail: string): CheckResult => ({ status: 'skipped', detail });
export const warning = (detail: string, fix: string): CheckResult => ({
  status: 'warning',
  detail,
  fix,
});
export const failed = (detail: string, fix?: string): CheckResult => ({
  status: 'failed',
  detail,
  ...(fix !== undefined && { fix }),
});

const DEADLINE_MS = 15_000;

/** Runs a check. An error or a timeout counts as failed. */
export async function examine(
  check: string,
  find: () => CheckResult | Promise<CheckResult>,
): Promise<NamedResult> {
  const late = failed(`No result within ${DEADLINE_MS / 1000} s`, 'Run the command again.');
  try {
    const result = (async () => find())();
    return { check, ...(await Promise.race([result, delay(DEADLINE_MS, late, { ref: false })])) };
  } catch (error) {
    return { check, status: 'failed', detail: describeError(error) };
  }
}
