/**
 * An organization's custom weights for a vertical, which replace the public weights. A positive weight favors ZIP
 * codes that rank high in the signal, and a negative weight favors ZIP codes that rank low. Only the ratios of the
 * weights matter. A signal may be the organization's own data: `data:jobs-2025`, or its rate, `rate:jobs-2025`.
 */
import type { Actor } from '../../../people/account/caller.ts';
import type { Tenant, TenantDatabase } from '../../../people/account/tenant.ts';
import { badRequest } from '../../../errors.ts';
import { isDataField, lockDataFields } from '../../own-data/data-fields.ts';
import { SIGNALS, type OwnSignal, type SignalId } from '../../../data/scoring/signals.ts';
import {
  type OwnInput,
  type VerticalSlug,
  verticalBySlug,
} from '../../../data/scoring/verticals.ts';
import { recordActivity } from '../../../people/account/activity.ts';

export type Weights = Partial<Record<SignalId, number>> & Record<OwnSignal, number>;

/**
 * ZIP codes among which own data is ranked: those of the country, where one without rows has 0 of a sum, or only those
 * that have an amount
 */
export const RANKED_AMONG = ['nation', 'data'] as const;
export type RankedAmong = (typeof RANKED_AMONG)[number];

export interface OwnWeights {
  weights: Weights;
  among: RankedAmong;
}

export interface TargetingProfile extends OwnWeights {
  vertical: VerticalSlug;
  /** Whether the organization has custom weights */
  own: boolean;
  /** The weight of every signal that counts, with the values that the organization set */
  weights: Weights;
}

/**
 * SQL for the weights of a row of `targeting_profiles` that the caller may know: none of data sets of other brands, which
 * the caller can't rank by either. Null if none is left.
 */
const KNOWN_WEIGHTS = `(
  select jsonb_object_agg(signal, weight) from jsonb_each(weights) as own (signal, weight)
  where signal !~ '^(data|rate):' or exists (
    select from data_sets d where d.organization_id = $1 and d.slug = substr(signal, 6)))`;

/**
 * Returns the weights that count for the caller: the organization's, as far as the caller may know them.
 * @throws ServiceError 404 for an unknown vertical
 */
export async function readProfile(tenant: Tenant, vertical: string): Promise<TargetingProfile> {
  const { slug } = verticalBySlug(vertical);
  const own = (await ownProfiles(tenant)).find(({ vertical }) => vertical === slug);
  return {
    vertical: slug,
    own: own !== undefined,
    weights: own?.weights ?? publicWeights(slug),
    among: own?.among ?? 'nation',
  };
}

/** Returns the custom weights of an organization, as far as the caller may know them, ordered by vertical. */
export function ownProfiles(tenant: Tenant): Promise<Omit<TargetingProfile, 'own'>[]> {
  return tenant.query<Omit<TargetingProfile, 'own'>>(
    `select * from (
       select vertical, ${KNOWN_WEIGHTS} as weights, among from targeting_profiles
       where organization_id = $1) known
     where weights is not null order by vertical`,
    [],
  );
}

/** Returns the public weights in the form of custom ones. @throws as `readProfile` */
export function publicWeights(vertical: string): Weights {
  const signed = verticalBySlug(vertical).inputs.map(({ signal, direction, weight }) => [
    signal,
    direction === 'higher' ? weight : -weight,
  ]);
  return Object.fromEntries(signed);
}

/**
 * Stores custom weights.
 * @param weights unchecked input
 * @throws ServiceError 404 for an unknown vertical; 400 as `validateWeights`, or for an unknown data set
 */
export async function setProfile(
  tenant: TenantDatabase,
  actor: Actor,
  vertical: string,
  weights: unknown,
  among: RankedAmong = 'nation',
): Promise<TargetingProfile> {
  const { slug } = verticalBySlug(vertical);
  const checked = validateWeights(weights);
  await tenant.transaction(async (tx) => {
    const before = await lockOwnWeights(tx, slug);
    await lockDataFields(tx, Object.keys(checked).filter(isDataField));
    tx.defer(
      `insert into targeting_profiles (organization_id, vertical, weights, among) values ($1, $2, $3, $4)
       on conflict (organization_id, vertical) do update set weights = $3, among = $4, changed_at = now()`,
      [slug, checked, among],
    );
    recordActivity(tx, {
      actor,
      action: 'targeting_set',
      brandId: null,
      zips: [],
      summary: `Set custom weights for ${slug}.`,
      before: before ? recorded(before) : {},
      after: recorded({ weights: checked, among }),
    });
  });
  return { vertical: slug, own: true, weights: checked, among };
}

/** Restores the public weights. @throws ServiceError 404 for an unknown vertical */
export async function resetProfile(
  tenant: TenantDatabase,
  actor: Actor,
  vertical: string,
): Promise<TargetingProfile> {
  const { slug } = verticalBySlug(vertical);
  await tenant.transaction(async (tx) => {
    const before = await lockOwnWeights(tx, slug);
    if (!before) return;
    tx.defer('delete from targeting_profiles where organization_id = $1 and vertical = $2', [slug]);
    recordActivity(tx, {
      actor,
      action: 'targeting_reset',
      brandId: null,
      zips: [],
      summary: `Reset ${slug} to the public weights.`,
      before: recorded(before),
      after: {},
    });
  });
  return readProfile(tenant, slug);
}

const recorded = ({ weights, among }: OwnWeights) =>
  Object.keys(weights).some(isDataField) ? { ...weights, among } : weights;

/** Locks the organization's weights until the transaction ends. */
async function lockOwnWeights(tx: Tenant, vertical: string): Promise<OwnWeights | undefined> {
  const [row] = await tx.query<OwnWeights>(
    `select weights, among from targeting_profiles
     where organization_id = $1 and vertical = $2 for update`,
    [vertical],
  );
  return row;
}

/** Weights outside these limits usually have the wrong unit, and rounding would erase the other weights. */
const MIN_WEIGHT = 0.001;
export const MAX_WEIGHT = 100;

/** Checks weights. @throws ServiceError 400 that lists all problems */
export function validateWeights(weights: unknown): Weights {
  if (typeof weights !== 'object' || weights === null || Array.isArray(weights)) {
    throw badRequest(
      'Weights must be an object of signals and numbers, such as {"householdsTotal": 0.4, "medianAge": -0.1}.',
    );
  }
  const entries = Object.entries(weights);
  const problems = entries.flatMap(([signal, weight]) => {
    if (!Object.hasOwn(SIGNALS, signal) && !isDataField(signal))
      return `there is no signal "${signal}"`;
    const size = Math.abs(weight as number);
    return typeof weight === 'number' && size >= MIN_WEIGHT && size <= MAX_WEIGHT
      ? []
      : `the weight of ${signal} must be a number from ${MIN_WEIGHT} to ${MAX_WEIGHT}, or from -${MAX_WEIGHT} to -${MIN_WEIGHT}`;
  });
  if (entries.length === 0) problems.push('at least one weight is required');
  if (problems.length > 0) {
    throw badRequest(
      `These weights can’t be used: ${problems.join('; ')}. Signals: ${Object.keys(SIGNALS).join(', ')}, ` +
        'and data:<data set> and rate:<data set>.',
    );
  }
  return Object.fromEntries(entries);
}

/**
 * Returns the weights as scoring expects them: positive, with a sum of 1, each with a direction.
 */
export function inputsOf(weights: Weights): OwnInput[] {
  const entries = Object.entries(weights) as [SignalId | OwnSignal, number][];
  const sum = entries.reduce((total, [, weight]) => total + Math.abs(weight), 0);
  // The public weights sum to 1 except for rounding errors, and must stay exactly as they are.
  const scale = Math.abs(sum - 1) < 1e-9 ? 1 : sum;
  return entries.map(([signal, weight]) => ({
    signal,
    direction: weight > 0 ? 'higher' : 'lower',
    weight: Math.abs(weight) / scale,
    reason: 'Custom weight of the organization.',
  }));
}
