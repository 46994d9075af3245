/**
 * The launched verticals: the signals in each score, with weights and reasons. The public
 * methodology shows the reasons.
 *
 * The weights are judgments based on public sources: home improvement spending (JCHS, Improving
 * America's Housing), lifetimes of home components (NAHB, Life Expectancy of Home Components),
 * pests and lawns (NPMA, NALP), and movers (Census CPS). Each vertical has one volume signal with a
 * weight of 0.2 to 0.4; all others are propensity signals. A large ZIP code therefore has an
 * advantage but doesn't win by size alone. Volume is the number of owner households where only owners
 * buy, and of all households elsewhere.
 */
import { notFound } from '../../errors.ts';
import type { OwnSignal, SignalId } from './signals.ts';

export interface WeightedInput<Signal extends SignalId | OwnSignal = SignalId> {
  signal: Signal;
  /** Ranks that fit better: `higher` or `lower` ones */
  direction: 'higher' | 'lower';
  /** Share of the score, 0..1. The weights of a vertical sum to 1. */
  weight: number;
  /** One sentence for the public methodology */
  reason: string;
}

/** An input that may be an organization's own data */
export type OwnInput = WeightedInput<SignalId | OwnSignal>;

export interface Vertical {
  /** Name in URLs: `windows-siding` */
  slug: VerticalSlug;
  /** Name in records: `windows_siding` */
  key: string;
  /** Display name: `Windows & Siding` */
  label: string;
  inputs: readonly WeightedInput[];
}

const DECLARED = [
  vertical('roofing', 'Roofing', [
    higher('ownerOccupiedHouseholds', 0.3, 'Every owner household has a roof to maintain.'),
    higher('ownerOccupiedPct', 0.15, 'Owners decide on a new roof themselves; renters cannot.'),
    higher('singleFamilyDetachedPct', 0.15, 'A detached house has its own roof.'),
    higher('homesAged15To30', 0.1, 'Asphalt shingles wear out after 15 to 30 years.'),
    higher('homesAged40Plus', 0.08, 'Homes past 40 years are due for their second roof.'),
    higher(
      'medianHouseholdIncome',
      0.08,
      'Households with higher incomes can pay for a replacement.',
    ),
    higher('medianHomeValue', 0.08, 'Owners of valuable homes have the equity for a new roof.'),
    higher('medianAge', 0.06, 'Older owners stay longer and hire professionals.'),
  ]),
  vertical('hvac', 'HVAC', [
    higher('householdsTotal', 0.3, 'Nearly every household is heated or cooled, rented or owned.'),
    higher('homesAged12To25', 0.16, 'First heating and cooling systems fail after 12 to 25 years.'),
    higher('homesAged26Plus', 0.08, 'Systems in older homes were already replaced once.'),
    higher('ownerOccupiedPct', 0.1, 'Owners pay for their own systems and service plans.'),
    higher('singleFamilyDetachedPct', 0.1, 'A detached house has its own system.'),
    higher(
      'medianHouseholdIncome',
      0.1,
      'Households with higher incomes replace sooner and buy better systems.',
    ),
    higher('medianHomeValue', 0.08, 'Valuable homes are larger, with more space to heat and cool.'),
    higher('medianAge', 0.08, 'Older residents spend more time at home and depend on comfort.'),
  ]),
  vertical('plumbing', 'Plumbing', [
    higher('householdsTotal', 0.3, 'Every household has pipes, fixtures, and a water heater.'),
    higher('homesBuiltBefore1980', 0.24, 'Pipes from before 1980 are near the end of their life.'),
    higher('ownerOccupiedPct', 0.1, 'Owners call and pay the plumber themselves.'),
    higher(
      'medianHouseholdIncome',
      0.1,
      'Households with higher incomes remodel kitchens and baths.',
    ),
    higher('singleFamilyDetachedPct', 0.09, 'A detached house has its own water and sewer lines.'),
    higher(
      'medianAge',
      0.09,
      'Older residents hire a plumber instead of making repairs themselves.',
    ),
    higher('medianHomeValue', 0.08, 'Valuable homes have more bathrooms and fixtures.'),
  ]),
  vertical('electrical', 'Electrical', [
    higher('householdsTotal', 0.3, 'Every household has wiring and a panel.'),
    higher('homesBuiltBefore1980', 0.24, 'Panels from before 1980 are too small for modern loads.'),
    higher('medianHomeValue', 0.14, 'Owners of valuable homes add car chargers and generators.'),
    higher(
      'medianHouseholdIncome',
      0.11,
      'Households with higher incomes buy appliances that need new circuits.',
    ),
    higher('ownerOccupiedPct', 0.11, 'Owners order upgrades; renters only report faults.'),
    higher('singleFamilyDetachedPct', 0.1, 'A detached house has its own panel and service line.'),
  ]),
  vertical('windows-siding', 'Windows & Siding', [
    higher('ownerOccupiedHouseholds', 0.2, 'Every owner household is a possible customer.'),
    higher('homesAged20To50', 0.17, 'Windows and siding are replaced after 20 to 50 years.'),
    higher('ownerOccupiedPct', 0.16, 'Owners decide on windows and siding; renters cannot.'),
    higher('singleFamilyDetachedPct', 0.16, 'A detached house has siding on all four sides.'),
    higher(
      'medianHouseholdIncome',
      0.15,
      'Households with higher incomes can pay for a large purchase.',
    ),
    higher('medianHomeValue', 0.08, 'Better looks and insulation pay off in a valuable home.'),
    higher('medianAge', 0.08, 'Older owners plan to stay and invest in comfort.'),
  ]),
  vertical('gutters', 'Gutters', [
    higher('ownerOccupiedHouseholds', 0.2, 'Every owner household is a possible customer.'),
    higher('ownerOccupiedPct', 0.2, 'Owners are responsible for cleaning and replacing gutters.'),
    higher('singleFamilyDetachedPct', 0.2, 'A detached house has gutters on every side.'),
    higher('homesAged20Plus', 0.12, 'Gutters last about 20 years.'),
    higher(
      'medianHouseholdIncome',
      0.1,
      'Households with higher incomes pay for guards and seamless gutters.',
    ),
    higher('medianHomeValue', 0.09, 'A valuable home is worth protecting from water.'),
    higher('medianAge', 0.09, 'Older owners stay off the ladder.'),
  ]),
  vertical('landscaping', 'Landscaping', [
    higher('ownerOccupiedHouseholds', 0.2, 'Most owner households have a yard to maintain.'),
    higher('medianHouseholdIncome', 0.18, 'Spare income pays for lawn and garden care.'),
    higher('medianHomeValue', 0.18, 'Valuable homes have larger and better-kept grounds.'),
    higher('singleFamilyDetachedPct', 0.18, 'A detached house has a yard.'),
    higher('ownerOccupiedPct', 0.17, 'Owners invest in grounds that they will keep.'),
    higher('medianAge', 0.09, 'Older owners leave the yard work to others.'),
  ]),
  vertical('pest-control', 'Pest Control', [
    higher('householdsTotal', 0.35, 'Pests affect every kind of household.'),
    higher('ownerOccupiedPct', 0.13, 'Owners protect their property and sign yearly plans.'),
    higher(
      'medianHouseholdIncome',
      0.13,
      'Households with higher incomes pay for prevention, not only for treatment.',
    ),
    higher('medianHomeValue', 0.13, 'A valuable home has more to lose to termites.'),
    higher('homesAged20Plus', 0.13, 'As homes age, termite treatments fade and gaps open.'),
    higher('singleFamilyDetachedPct', 0.13, 'A detached house touches the ground on all sides.'),
  ]),
  vertical('professional-services', 'Professional Services', [
    higher('householdsTotal', 0.4, 'Every household is a possible client.'),
    higher(
      'medianHouseholdIncome',
      0.4,
      'Households with higher incomes need professional advice and can afford it.',
    ),
    higher('medianHomeValue', 0.2, 'Property is wealth to insure, finance, and plan for.'),
  ]),
  vertical('real-estate', 'Real Estate', [
    higher('householdsTotal', 0.3, 'More households mean more sales in a year.'),
    higher('medianHomeValue', 0.22, 'Commissions grow with the price of the home.'),
    higher('ownerOccupiedPct', 0.12, 'Only owned homes come up for sale.'),
    higher('medianHouseholdIncome', 0.12, 'Households with higher incomes can buy and trade up.'),
    higher('singleFamilyDetachedPct', 0.12, 'Detached houses are more often sold than rented.'),
    higher('medianAgeNear30To50', 0.12, 'People buy and trade up most between 30 and 50.'),
  ]),
  vertical('moving', 'Moving', [
    higher('householdsTotal', 0.3, 'More households mean more moves in a year.'),
    lower('ownerOccupiedPct', 0.2, 'Renters move several times as often as owners.'),
    lower('medianAge', 0.18, 'Young adults move most.'),
    lower('singleFamilyDetachedPct', 0.14, 'People leave apartments sooner than detached houses.'),
    higher(
      'medianHouseholdIncome',
      0.09,
      'Households with higher incomes hire movers instead of renting a truck.',
    ),
    higher('homesAgedUpTo10', 0.09, 'People are moving into new homes.'),
  ]),
];

export type VerticalSlug = (typeof DECLARED)[number]['slug'];

export const VERTICALS: readonly Vertical[] = DECLARED;

/** Finds a launched vertical. @throws ServiceError 404 that lists all of them */
export function verticalBySlug(slug: string): Vertical {
  const found = VERTICALS.find((v) => v.slug === slug);
  if (found) return found;
  throw notFound(
    `There is no launched vertical "${slug}". Use one of: ${VERTICALS.map((v) => v.slug).join(', ')}.`,
  );
}

function vertical<Slug extends string>(slug: Slug, label: string, inputs: WeightedInput[]) {
  return { slug, key: slug.replaceAll('-', '_'), label, inputs };
}

function higher(signal: SignalId, weight: number, reason: string): WeightedInput {
  return { signal, direction: 'higher', weight, reason };
}

function lower(signal: SignalId, weight: number, reason: string): WeightedInput {
  return { signal, direction: 'lower', weight, reason };
}
