/**
 * An organisation's own weights for a vertical, in place of the public ones. A weight above zero
 * favours ZIPs that rank high in the signal, one below zero those that rank low; only the ratios of
 * the weights count.
 */
import type { Actor } from '../account/caller.ts';
import type { Tenant, TenantDatabase } from '../account/tenant.ts';
import { badRequest } from '../errors.ts';
import { verticalBySlug } from '../market/public/launched.ts';
import { SIGNALS, type SignalId } from '../scoring/signals.ts';
import type { VerticalSlug, WeightedInput } from '../scoring/verticals.ts';
import { recordActivity } from './activity.ts';

export type Weights = Partial<Record<SignalId, number>>;

export interface TargetingProfile {
  vertical: VerticalSlug;
  /** Whether the organisation has set its own; else these are the public ones */
  own: boolean;
  /** Of every signal that counts, as they were given */
  weights: Weights;
}

/** @throws ServiceError 404 for an unknown vertical */
export async function readProfile(tenant: Tenant, vertical: string): Promise<TargetingProfile> {
  const { slug } = verticalBySlug(vertical);
  const [row] = await tenant.query<{ weights: Weights }>(
    'select weights from targeting_profiles where organization_id = $1 and vertical = $2',
    [slug],
  );
  return {
    vertical: slug,
    own: row !== undefined,
    weights: row?.weights ?? publicWeights(slug),
  };
}

/** Those that count for everybody, as an organisation's own are written. @throws as `readProfile` */
export function publicWeights(vertical: string): Weights {
  const signed = verticalBySlug(vertical).inputs.map(({ signal, direction, weight }) => [
    signal,
    direction === 'higher' ? weight : -weight,
  ]);
  return Object.fromEntries(signed);
}

/**
 * @param weights as read from a file: anything
 * @throws ServiceError 404 for an unknown vertical, 400 that lists all that is wrong with the weights
 */
export async function setProfile(
  tenant: TenantDatabase,
  actor: Actor,
  vertical: string,
  weights: unknown,
): Promise<TargetingProfile> {
  const { slug } = verticalBySlug(vertical);
  const checked = checkedWeights(weights);
  await tenant.transaction(async (tx) => {
    const before = await lockOwnWeights(tx, slug);
    await tx.query(
      `insert into targeting_profiles (organization_id, vertical, weights) values ($1, $2, $3)
       on conflict (organization_id, vertical) do update set weights = $3, changed_at = now()`,
      [slug, checked],
    );
    await recordActivity(tx, {
      ...{ actor, action: 'targeting_set', brandId: null, zips: [] },
      summary: `Set weights of its own for ${slug}.`,
      before: before ?? {},
      after: checked,
    });
  });
  return { vertical: slug, own: true, weights: checked };
}

/** Back to the public weights. @throws ServiceError 404 for an unknown vertical */
export async function resetProfile(
  tenant: TenantDatabase,
  actor: Actor,
  vertical: string,
): Promise<TargetingProfile> {
  const { slug } = verticalBySlug(vertical);
  await tenant.transaction(async (tx) => {
    const before = await lockOwnWeights(tx, slug);
    if (!before) return;
    await tx.query('delete from targeting_profiles where organization_id = $1 and vertical = $2', [
      slug,
    ]);
    await recordActivity(tx, {
      ...{ actor, action: 'targeting_reset', brandId: null, zips: [] },
      summary: `Went back to the public weights for ${slug}.`,
      before,
      after: {},
    });
  });
  return readProfile(tenant, slug);
}

/** Until the transaction ends nobody else changes them. */
async function lockOwnWeights(tx: Tenant, vertical: string): Promise<Weights | undefined> {
  const [row] = await tx.query<{ weights: Weights }>(
    `select weights from targeting_profiles
     where organization_id = $1 and vertical = $2 for update`,
    [vertical],
  );
  return row?.weights;
}

/** Numbers beyond these are mistakes of unit, and would lose the others to rounding. */
const SMALLEST = 0.001;
const LARGEST = 1000;

/** @throws ServiceError 400 that lists all that is wrong */
export function checkedWeights(weights: unknown): Weights {
  if (typeof weights !== 'object' || weights === null || Array.isArray(weights)) {
    throw badRequest(
      'Weights are an object of signals and numbers, such as {"householdsTotal": 0.4, "medianAge": -0.1}.',
    );
  }
  const entries = Object.entries(weights);
  const problems = entries.flatMap(([signal, weight]) => {
    if (!Object.hasOwn(SIGNALS, signal)) return `there is no signal "${signal}"`;
    const size = Math.abs(weight as number);
    return typeof weight === 'number' && size >= SMALLEST && size <= LARGEST
      ? []
      : `the weight of ${signal} must be a number from ${SMALLEST} to ${LARGEST}, or the negative of one`;
  });
  if (entries.length === 0) problems.push('there is no weight at all');
  if (problems.length > 0) {
    throw badRequest(
      `These weights cannot be used: ${problems.join('; ')}. Signals are: ${Object.keys(SIGNALS).join(', ')}.`,
    );
  }
  return Object.fromEntries(entries);
}

/** What scoring takes: weights above zero that sum to 1, each with its direction. */
export function inputsOf(weights: Weights): WeightedInput[] {
  const entries = Object.entries(weights) as [SignalId, number][];
  const sum = entries.reduce((total, [, weight]) => total + Math.abs(weight), 0);
  // The public weights sum to 1 but for rounding, and have to stay as they are to the last bit.
  const scale = Math.abs(sum - 1) < 1e-9 ? 1 : sum;
  return entries.map(([signal, weight]) => ({
    signal,
    direction: weight > 0 ? 'higher' : 'lower',
    weight: Math.abs(weight) / scale,
    reason: 'A weight of the organisation’s own.',
  }));
}
