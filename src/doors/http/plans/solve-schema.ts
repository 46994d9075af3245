/** Request and response of a solve, and their conversion for the solver. */
import { z } from 'zod';
import { zip, zips } from '../../tools/support/fields.ts';
import { exampleOf, ZipCode } from '../../../base/contract/resources.ts';
import type { DesignResult } from '../../../territories/design/input.ts';
import { badRequest } from '../../../errors.ts';
import type { Tenant } from '../../../people/account/tenant.ts';
import { findPlace } from '../../../territories/places/places.ts';
import { MAX_TERRITORIES } from '../../../territories/plans/edit.ts';
import type { SolveOptions, SolveTask } from '../../../territories/plans/solve.ts';
import { MAX_MINUTES, MIN_MINUTES } from '../../../data/routing/drive-times.ts';
import { METERS_PER_MILE } from '../../../base/spatial/miles.ts';
import { PlanBody, version } from './schema.ts';

/** Price of a solve of any size */
export const SOLVE_UNITS = 10;
/** Enough time for a metro or a state. `npm run bench -- design` measures the time for the country. */
const DEFAULT_SECONDS = 30;
export const MAX_SECONDS = 90;

const number = z.int().min(1).max(32_767);
const amount = z.number().positive();

export const SolveRequest = z
  .strictObject({
    version,
    task: z
      .enum(['divide', 'rebalance', 'fill', 'split', 'grow'])
      .meta({
        description:
          '`divide` makes new territories of the market, `rebalance` moves few ZIP codes, `fill` assigns the ' +
          'unassigned ones, `split` divides one territory, and `grow` adds unassigned ZIP codes to one',
      }),
    count: z
      .int()
      .min(1)
      .max(MAX_TERRITORIES)
      .optional()
      .meta({ description: 'Territories of `divide`, or parts of `split` (default 2)' }),
    minimum: amount
      .optional()
      .meta({ description: 'Smallest amount per territory, instead of a count' }),
    maximum: amount
      .optional()
      .meta({ description: 'Largest amount per territory, instead of a count' }),
    territory: number.optional().meta({ description: 'Number of the territory to split or grow' }),
    target: amount.optional().meta({ description: 'Amount of the measure that `grow` aims at' }),
    keep: z
      .array(number)
      .max(MAX_TERRITORIES)
      .optional()
      .meta({
        description: 'Numbers of territories that `divide` and `rebalance` leave as they are',
      }),
    seeds: z
      .array(zip)
      .max(MAX_TERRITORIES)
      .optional()
      .meta({ description: 'Home ZIP codes of the first territories, one each' }),
    seedPlaces: z
      .array(z.string().min(1).max(120))
      .max(MAX_TERRITORIES)
      .optional()
      .meta({
        description:
          'Ids or names of places, such as offices: the ZIP codes in which they are, as homes after `seeds`',
      }),
    maxMiles: amount
      .optional()
      .meta({ description: 'Largest distance from the seed. Each territory needs a seed' }),
    maxMinutes: z
      .number()
      .min(MIN_MINUTES)
      .max(MAX_MINUTES)
      .optional()
      .meta({
        description:
          'Longest drive from the seed, instead of `maxMiles`, where the service has a routing server',
      }),
    together: z
      .array(zips)
      .max(200)
      .optional()
      .meta({ description: 'Lists of ZIP codes to keep together' }),
    apart: z
      .array(z.tuple([zip, zip]))
      .max(500)
      .optional()
      .meta({ description: 'Pairs of ZIP codes to keep apart' }),
    wholeCounties: z
      .boolean()
      .optional()
      .meta({ description: 'Follows county lines where possible' }),
    tolerancePct: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .meta({
        description:
          'Target deviation. By default, it depends on the number of ZIP codes per territory',
      }),
    excludeHeld: z
      .boolean()
      .optional()
      .meta({ description: 'Leaves out ZIP codes that your brands hold' }),
    excludeZips: zips.optional(),
    seconds: z
      .int()
      .min(1)
      .max(MAX_SECONDS)
      .default(DEFAULT_SECONDS)
      .meta({ description: 'Time limit. Most solves end earlier.' }),
    seed: z
      .int()
      .min(0)
      .max(2 ** 31)
      .optional()
      .meta({
        description: 'The same seed gives the same result, if the solve ends as `finished`',
      }),
    save: z
      .boolean()
      .default(true)
      .meta({ description: 'false returns a proposal and leaves the plan unchanged' }),
  })
  .meta({
    id: 'PlanSolveRequest',
    examples: [{ version: 1, task: 'divide', count: 8, excludeHeld: true }],
  });
export type SolveRequest = z.output<typeof SolveRequest>;
/** The request without the fields for saving */
type TaskRequest = Omit<SolveRequest, 'version' | 'save'>;

const percent = z.number();

export const SolutionBody = z
  .object({
    saved: z.boolean(),
    summary: z.string().meta({ description: 'The result in sentences' }),
    worstDeviationPct: percent,
    tolerancePct: percent.meta({ description: 'Target deviation' }),
    provenBoundPct: percent.meta({
      description: 'Proven lower bound of the worst deviation; 0 if unknown',
    }),
    borderMiles: z.number().meta({ description: 'Length of the borders between territories' }),
    splitCounties: z.int(),
    violations: z.array(
      z.object({ constraint: z.string(), message: z.string(), zips: z.array(ZipCode) }),
    ),
    bridges: z
      .array(z.object({ from: ZipCode, to: ZipCode, miles: z.number() }))
      .meta({ description: 'Connections over water or gaps' }),
    withoutPosition: z
      .array(ZipCode)
      .meta({ description: 'ZIP codes that can’t be divided, because no boundary is imported' }),
    ended: z.enum(['finished', 'deadline', 'canceled']),
    plan: PlanBody,
  })
  .meta({
    id: 'PlanSolution',
    examples: [
      {
        saved: true,
        summary: '8 territories, within 0.4% of their mean.',
        worstDeviationPct: 0.4,
        tolerancePct: 0.6,
        provenBoundPct: 0,
        borderMiles: 353.6,
        splitCounties: 9,
        violations: [],
        bridges: [],
        withoutPosition: [],
        ended: 'finished',
        plan: exampleOf(PlanBody),
      },
    ],
  });

/** Returns the task of a request. @throws ServiceError 400 for missing fields, or fields that the task doesn't use */
export function taskOf(request: TaskRequest): SolveTask {
  const { task, count, minimum, maximum, territory, target, keep, seeds } = request;
  const { maxMiles, maxMinutes } = request;
  const given = { count, minimum, maximum, territory, target, keep, seeds, maxMiles, maxMinutes };
  const unused = Object.entries(given)
    .filter(([name, value]) => value !== undefined && !FIELDS_OF_TASK[task].includes(name))
    .map(([name]) => name);
  if (unused.length > 0) {
    throw badRequest(
      `${unused.join(', ')}: has no effect on ${task}. ${FIELDS_OF_TASK[task].length === 0 ? 'Leave it out.' : `It uses ${FIELDS_OF_TASK[task].join(', ')}.`}`,
    );
  }
  switch (task) {
    case 'divide':
      return { kind: task, territories: sizeOf(request), keep: keep ?? [], seeds };
    case 'split':
      return { kind: task, number: requireField(task, { territory }), count: count ?? 2 };
    case 'grow':
      return {
        kind: task,
        number: requireField(task, { territory }),
        target: requireField(task, { target }),
      };
    case 'rebalance':
      return { kind: task, keep: keep ?? [] };
    case 'fill':
      return { kind: task };
  }
}

/**
 * Returns the request with the ZIP codes of its places among its seeds.
 * @throws ServiceError 400 for a place outside of all ZIP codes; 404 and 409 as `findPlace`
 */
export async function withSeedPlaces<Request extends Omit<TaskRequest, 'task'>>(
  tenant: Tenant,
  request: Request,
): Promise<Request> {
  const { seeds = [], seedPlaces } = request;
  if (seedPlaces === undefined) return request;
  const places = await Promise.all(seedPlaces.map((ref) => findPlace(tenant, ref)));
  const homes = places.map(({ name, zip }) => {
    if (zip !== null) return zip;
    throw badRequest(`seedPlaces: ${name} is in no ZIP code. Give a ZIP code near it in seeds.`);
  });
  return { ...request, seeds: [...seeds, ...homes] };
}

/** Fields of each task, in addition to the constraints of all tasks */
const FIELDS_OF_TASK: Record<TaskRequest['task'], readonly string[]> = {
  divide: ['count', 'minimum', 'maximum', 'keep', 'seeds', 'maxMiles', 'maxMinutes'],
  rebalance: ['keep'],
  fill: [],
  split: ['territory', 'count'],
  grow: ['territory', 'target'],
};

function sizeOf({ count, minimum, maximum }: TaskRequest) {
  if (count !== undefined && minimum === undefined && maximum === undefined) return { count };
  if (count === undefined && minimum !== undefined && maximum !== undefined) {
    return { minimum, maximum };
  }
  throw badRequest('Give either count, or both minimum and maximum.');
}

function requireField(task: string, field: Record<string, number | undefined>): number {
  const [[name, value] = []] = Object.entries(field);
  if (value !== undefined) return value;
  throw badRequest(`${name}: required for ${task}. Add it.`);
}

export function optionsOf(
  { seconds, maxMiles, maxMinutes, tolerancePct, ...request }: TaskRequest,
  signal: AbortSignal,
): SolveOptions {
  const { together, apart, wholeCounties, seed, excludeHeld, excludeZips } = request;
  if (maxMiles !== undefined && maxMinutes !== undefined) {
    throw badRequest('Give either maxMiles or maxMinutes.');
  }
  return {
    excludeHeld,
    excludeZips,
    timeMs: 1e3 * seconds,
    signal,
    ...(together && { together }),
    ...(apart && { apart }),
    ...(wholeCounties && { wholeCounties }),
    ...(seed !== undefined && { seed }),
    ...(maxMiles !== undefined && { reach: { miles: maxMiles } }),
    ...(maxMinutes !== undefined && { reach: { minutes: maxMinutes } }),
    ...(tolerancePct !== undefined && { tolerance: tolerancePct / 100 }),
  };
}

export function solutionBody(
  { objective, violations, bridges, ended }: DesignResult,
  territories: number,
): Omit<z.output<typeof SolutionBody>, 'plan' | 'saved' | 'withoutPosition'> {
  const { worstDeviation, tolerance, provenBound, borderKm, splitCounties } = objective;
  const within = `within ${toPercent(worstDeviation)}% of ${territories === 1 ? 'the target' : 'their mean'}`;
  return {
    summary: [
      `${territories} ${territories === 1 ? 'territory' : 'territories'}, ${within}.`,
      ...violations.map(({ message }) => message),
    ].join(' '),
    worstDeviationPct: toPercent(worstDeviation),
    tolerancePct: toPercent(tolerance),
    provenBoundPct: toPercent(provenBound),
    borderMiles: Math.round((10_000 * borderKm) / METERS_PER_MILE) / 10,
    splitCounties,
    violations,
    bridges,
    ended,
  };
}

/** Converts a fraction to a percentage with two decimals. */
export const toPercent = (fraction: number) => Math.round(10_000 * fraction) / 100;
