/**
 * Limits the number of ZIP codes whose figures an organization sees in a month. Figures are census values, exact
 * scores, and totals of them, since the total of a single ZIP code is its figure. ZIP codes, places, statuses, and
 * the score classes of maps aren't figures.
 *
 * Every function that returns figures to a caller first passes the ZIP codes to `recordSeenZips`. Public data isn't
 * limited.
 */
import type { z } from 'zod';
import type { Caller, Subscription } from '../account/caller.ts';
import type { FiguresMeter as FiguresMeterSchema } from '../../base/contract/figures-meter.ts';
import { ServiceError } from '../../errors.ts';
import { formatCount } from '../../base/text/words.ts';
import { periodAt } from './meter.ts';
import { reachesThreshold, recordThresholds, type Use } from './thresholds.ts';
import { addZips, countZips, type Ledger } from './zip-ledger.ts';

/** The organization that sees figures, and its limit */
export interface Viewer extends Pick<Caller, 'tenant'> {
  subscription: Pick<Subscription, 'monthlyZips'>;
}

export type FiguresMeter = z.output<typeof FiguresMeterSchema>;

const ledgerAt = (at: Date): Ledger => ({ use: 'seen', month: periodAt(at).start });

/** Stands for all ZIP codes. An organization with a limit hasn't seen some of them. */
export const ANY_ZIP = 'any ZIP code';

/**
 * Records that the organization sees figures of ZIP codes. Each ZIP code counts once a month. Subscriptions without a limit
 * record nothing.
 * @param zips ZIP codes in the answer
 * @param among ZIP codes from which `zips` were selected by their figures. Even an empty answer reveals something
 *   about them, so once the limit is reached, none of them may be new. Default: `zips`
 * @throws ServiceError 402 `zip_limit_exceeded` with the meter as `figures`, if some of them exceed the limit. It
 *   then records none, and the caller must not show any figure.
 */
export async function recordSeenZips(
  viewer: Viewer,
  zips: Iterable<string>,
  { among = [], at = new Date() }: { among?: Iterable<string> | typeof ANY_ZIP; at?: Date } = {},
): Promise<void> {
  const { tenant, subscription } = viewer;
  const { monthlyZips } = subscription;
  if (monthlyZips === null) return;
  const ledger = ledgerAt(at);
  const seen = [...zips];
  // Most calls repeat earlier ZIP codes. Reading is cheaper than adding and never waits.
  const { used, added } = await countZips(tenant, ledger, seen);
  const isExhausted = used >= monthlyZips;
  const isAllowed =
    isExhausted && (among === ANY_ZIP || (await countUnseenZips(viewer, among, at)) > 0)
      ? false
      : added === 0 || (await addSeenZips(viewer, seen, monthlyZips, used + added, at));
  if (!isAllowed) throw limitExceeded(meterOfFigures(monthlyZips, used, at));
}

/** Adds ZIP codes, and records a threshold that they reach. @returns false if they exceed the limit */
async function addSeenZips(
  { tenant }: Viewer,
  zips: readonly string[],
  limit: number,
  used: number,
  at: Date,
): Promise<boolean> {
  const ledger = ledgerAt(at);
  const use: Use = { meter: 'figures', used, included: limit, at };
  if (!reachesThreshold(use)) return addZips(tenant, ledger, zips, { limit });
  return tenant.transaction(async (tx) => {
    const isAdded = await addZips(tx, ledger, zips, { limit });
    // Counts again, because concurrent calls may have added others.
    if (isAdded) recordThresholds(tx, { ...use, used: (await countZips(tx, ledger)).used });
    return isAdded;
  });
}

/** Returns the number of ZIP codes that the organization hasn't seen this month; 0 without a limit. */
export async function countUnseenZips(
  { tenant, subscription: { monthlyZips } }: Viewer,
  zips: Iterable<string>,
  at = new Date(),
): Promise<number> {
  return monthlyZips === null ? 0 : (await countZips(tenant, ledgerAt(at), zips)).added;
}

/** Returns the result of the work, or the reason why the subscription doesn't include it. */
export async function figuresOrReason<T>(work: () => Promise<T>): Promise<T | LimitReason> {
  try {
    return await work();
  } catch (error) {
    if (!isLimitError(error)) throw error;
    return { withheld: error.message };
  }
}

export interface LimitReason {
  /** The reason why there are no figures, and what to do */
  withheld: string;
}

export const isWithheld = <T extends object>(result: T | LimitReason): result is LimitReason =>
  'withheld' in result;

const isLimitError = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'zip_limit_exceeded';

/** Returns the organization's limit and use this month. Without a limit, the use is 0. */
export async function figuresMeterOf(
  { tenant, subscription: { monthlyZips } }: Viewer,
  at = new Date(),
): Promise<FiguresMeter> {
  const used = monthlyZips === null ? 0 : (await countZips(tenant, ledgerAt(at))).used;
  return meterOfFigures(monthlyZips, used, at);
}

function meterOfFigures(limit: number | null, used: number, at: Date): FiguresMeter {
  const { start, end } = periodAt(at);
  return {
    period: start.slice(0, 7),
    zipsIncluded: limit,
    zipsSeen: used,
    // A smaller subscription may include fewer ZIP codes than were already seen.
    zipsRemaining: limit === null ? null : Math.max(limit - used, 0),
    resetsAt: `${end}T00:00:00.000Z`,
  };
}

/** The message omits how many ZIP codes exceed the limit, because that number can depend on their figures. */
function limitExceeded(figures: FiguresMeter): ServiceError {
  const { zipsIncluded, zipsRemaining, resetsAt } = figures;
  const left =
    zipsRemaining === 0
      ? 'all of them are used'
      : `only ${formatCount(zipsRemaining!)} ${zipsRemaining === 1 ? 'is' : 'are'} left`;
  return new ServiceError(
    402,
    'zip_limit_exceeded',
    `The subscription includes the figures of ${formatCount(zipsIncluded!)} ZIP codes a month, and ${left}. ` +
      `Ask for fewer ZIP codes or for ones that you saw this month, wait until ` +
      `${resetsAt.slice(0, 10)} (UTC), or choose a larger subscription.`,
    { details: { figures } },
  );
}
