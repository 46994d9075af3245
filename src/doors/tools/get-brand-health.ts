import { z } from 'zod';
import { asOf } from '../../base/contract/as-of.ts';
import { findBrand, type Brand } from '../../territories/brands/brands.ts';
import { proposeBalance, type BalanceProposal } from '../../territories/brands/balance-moves.ts';
import { balanceBrands, healthOfBrands, type Health } from '../../territories/brands/health.ts';
import { listOverlaps, type Overlap } from '../../territories/brands/overlaps.ts';
import { shapeOf, type Shape } from '../../territories/brands/shape/shape.ts';
import { censusFields, censusOfZips } from './support/census.ts';
import { brand, figure, formatZip, placeFields, round, vertical } from './support/fields.ts';
import { tool } from './tool.ts';
import { formatCount, joinFirst, joinWithAnd, pluralize } from '../../base/text/words.ts';

/** Largest lengths of lists. Counts are complete. */
const MAX_LISTED = 50;
const MAX_BRANDS = 25;

const strings = z.array(z.string());
const balancedBrand = z.object({
  brand: z.string(),
  brandName: z.string(),
  total: z.number(),
  deviationPct: z.number(),
  index: z.int().describe('100: the mean; 0: zero or twice the mean'),
});

export const getBrandHealth = tool({
  name: 'service_get_brand_health',
  title: 'Check brand health',
  summary:
    'Count live, pending, shared, and isolated ZIP codes, market share, and balance of brands',
  description:
    'Use before changing a territory. With a brand, adds its shape: islands, holes, gaps, ' +
    'compactness. With a vertical, adds opportunity: households weighted by score. With balance, ' +
    'proposes which ZIP codes brands could hand over.',
  units: 1,
  write: false,
  input: z.object({
    brand: brand.optional(),
    vertical: vertical.optional(),
    balance: z.array(brand).min(2).max(10).optional().describe('Brands to balance'),
    asOf: asOf.optional(),
  }),
  output: z.object({
    brandCount: z.int(),
    brands: z.array(
      z.object({
        brand: z.string(),
        brandName: z.string(),
        live: z.int(),
        pending: z.int(),
        shared: z.int(),
        isolated: z.int(),
        population: z.number(),
        households: z.number(),
        ownerOccupiedHouseholds: z.number(),
        landAreaSqMi: z.number(),
        averageScore: figure,
        opportunity: figure,
        markets: z.array(
          z.object({
            metro: z.string(),
            zips: z.int(),
            households: z.number(),
            heldZips: z.int(),
            heldHouseholds: z.number(),
            heldPct: z.number(),
          }),
        ),
        zipsOutsideMetros: z.int(),
      }),
    ),
    shape: z
      .object({
        pieces: z.int(),
        livePieces: z.int(),
        islands: z.array(strings),
        holes: z.array(strings),
        gaps: strings,
        polsbyPopper: z.number(),
        hullRatio: z.number(),
      })
      .nullable(),
    changes: censusFields,
    overlapCount: z.int(),
    overlaps: z.array(
      z.object({ zip: z.string(), brands: strings, brandNames: strings, others: z.int() }),
    ),
    balance: z.array(
      z.object({
        by: z.enum(['households', 'opportunity']),
        mean: z.number(),
        brands: z.array(balancedBrand),
      }),
    ),
    proposal: z
      .object({
        by: z.string(),
        moves: z.array(
          z.object({ ...placeFields, from: z.string(), to: z.string(), value: z.number() }),
        ),
        before: z.array(balancedBrand),
        after: z.array(balancedBrand),
      })
      .optional(),
  }),
  example: { brand: 'lone-star-roofing', vertical: 'roofing' },
  async handle(input, { caller, db }) {
    const { tenant, brandScope } = caller;
    const named =
      input.brand === undefined ? null : await findBrand(tenant, brandScope, input.brand);
    const all = await healthOfBrands(caller, brandScope, input.vertical ?? null);
    const matching = all.filter(({ brand }) => !named || brand.id === named.id);
    const shown = matching.slice(0, MAX_BRANDS);
    const shape = named && (await shapeOf(db, tenant, named));
    const census = named && (await censusOfZips(caller, { brand: named.id }));
    const shared = await listOverlaps(tenant, brandScope, named);
    const { households, opportunity } = balanceBrands(all);
    const proposal =
      input.balance &&
      (await proposeBalance(caller, brandScope, input.balance, input.vertical ?? null));
    const nameOf = new Map(all.map(({ brand }) => [brand.slug, brand.name]));
    const data = {
      brandCount: matching.length,
      brands: shown.map(brandData),
      shape: shape && shapeData(shape),
      changes: census?.data ?? null,
      overlapCount: shared.length,
      overlaps: shared.slice(0, MAX_LISTED).map(overlapData),
      balance: [
        balanceData('households', households, nameOf),
        ...(opportunity ? [balanceData('opportunity', opportunity, nameOf)] : []),
      ],
      ...(proposal && { proposal: proposalData(proposal) }),
    };
    const text = [
      ...shown.map((health) => brandText(health, input.vertical)),
      ...(matching.length > shown.length
        ? [
            `${pluralize(matching.length - shown.length, 'more brand')} not shown. Name a brand to see it.`,
          ]
        : []),
      ...(named ? [shapeText(shape)] : []),
      ...(census?.lines ?? []),
      overlapText(shared),
      ...(all.length > 1 ? data.balance.map(balanceText) : []),
      ...(proposal ? proposalLines(proposal) : []),
      nextStep(named !== null, shape, shared, shown.length),
    ].join('\n');
    return { data, text };
  },
});

const brandData = ({ brand, totals, ...health }: Health) => ({
  brand: brand.slug,
  brandName: brand.name,
  ...health,
  ...totals,
});

/** Returns the shape with two decimals, which distinguish territories, and with short lists for a model. */
function shapeData(shape: Shape) {
  const cut = (lists: string[][]) =>
    lists.slice(0, MAX_LISTED).map((list) => list.slice(0, MAX_LISTED));
  return {
    ...shape,
    islands: cut(shape.islands),
    holes: cut(shape.holes),
    gaps: shape.gaps.slice(0, MAX_LISTED),
    polsbyPopper: round(shape.polsbyPopper, 2),
    hullRatio: round(shape.hullRatio, 2),
  };
}

const overlapData = ({ zip, brands, others }: Overlap) => ({
  zip,
  brands: brands.map(({ slug }) => slug),
  brandNames: brands.map(({ name }) => name),
  others,
});

function balanceData(
  by: 'households' | 'opportunity',
  { mean, territories }: ReturnType<typeof balanceBrands>['households'],
  nameOf: ReadonlyMap<string, string>,
) {
  const rows = territories.map(({ id, ...row }) => ({
    brand: id,
    brandName: nameOf.get(id)!,
    ...row,
  }));
  return { by, mean, brands: rows.toSorted(furthestFirst).slice(0, MAX_BRANDS) };
}

const brandsOf = (
  { territories }: BalanceProposal['before'],
  brands: readonly Brand[],
): z.output<typeof balancedBrand>[] =>
  territories.map(({ id, ...row }, i) => ({ brand: id, brandName: brands[i]!.name, ...row }));

const proposalData = ({ by, brands, moves, before, after }: BalanceProposal) => ({
  by,
  moves: moves.map(({ from, to, ...move }) => ({ ...move, from: from.slug, to: to.slug })),
  before: brandsOf(before, brands),
  after: brandsOf(after, brands),
});

function proposalLines({ by, brands, moves, before, after }: BalanceProposal): string[] {
  const among = `${by} of ${joinWithAnd(brands.map(({ name }) => name))}`;
  const text = (balance: BalanceProposal['before']) =>
    joinFirst(brandsOf(balance, brands).map(deviationText));
  if (moves.length === 0) {
    return [
      `No move improves the balance of ${among} (${text(before)}): no live ZIP code of a larger territory ` +
        'borders a smaller one, is small enough, and can leave without splitting the territory.',
    ];
  }
  return [
    `To balance the ${among}, hand over ${pluralize(moves.length, 'ZIP code')}:`,
    ...moves.map(
      ({ from, to, value, ...zip }) =>
        `- ${formatZip(zip)}: ${from.name} to ${to.name}, ${formatCount(value)} ${by}`,
    ),
    `Now: ${text(before)}. Afterwards: ${text(after)}.`,
    'To hand over: service_apply_territory for the new brand, and service_remove_territory for the other one.',
  ];
}

const furthestFirst = (a: { deviationPct: number }, b: { deviationPct: number }) =>
  Math.abs(b.deviationPct) - Math.abs(a.deviationPct);

function brandText(health: Health, vertical: string | undefined): string {
  const { brand, live, pending, shared, isolated, totals, markets, zipsOutsideMetros } = health;
  if (totals.zips === 0) return `${brand.name} (${brand.slug}) holds no ZIP codes yet.`;
  const scored =
    totals.averageScore === null
      ? ''
      : ` Average ${vertical} score ${totals.averageScore}, opportunity ${formatCount(totals.opportunity!)}.`;
  const shares = markets.map(
    ({ metro, zips, heldZips, heldPct }) =>
      `${formatCount(heldZips)} of ${pluralize(zips, 'ZIP code')} in ${metro} (${heldPct}% of its households)`,
  );
  if (zipsOutsideMetros > 0)
    shares.push(`${pluralize(zipsOutsideMetros, 'ZIP code')} outside the launched metros`);
  return (
    `${brand.name} (${brand.slug}) holds ${pluralize(totals.zips, 'ZIP code')}: ${formatCount(live)} live, ` +
    `${formatCount(pending)} pending; ${formatCount(shared)} shared, ${formatCount(isolated)} isolated. ` +
    `${pluralize(totals.households, 'household')}, ${formatCount(totals.ownerOccupiedHouseholds)} of them ` +
    `owners, on ${formatCount(totals.landAreaSqMi)} square miles.${scored} Markets: ${shares.join(', ')}.`
  );
}

function shapeText(shape: Shape | null): string {
  if (!shape) return 'Shape: none, because it holds no ZIP code with a boundary.';
  const { pieces, livePieces, islands, holes, gaps, polsbyPopper, hullRatio } = shape;
  const live = livePieces === pieces ? '' : ` (live ZIP codes only: ${livePieces})`;
  const groups = (lists: string[][]) =>
    joinFirst(lists.map((zips) => joinFirst(zips, 8)).map(inBrackets));
  return [
    `Shape: ${pluralize(pieces, 'piece')}${live}.`,
    islands.length > 0
      ? `Islands (pieces other than the largest): ${groups(islands)}.`
      : 'No islands.',
    holes.length > 0 ? `Holes, enclosed by the territory: ${groups(holes)}.` : 'No holes.',
    gaps.length > 0 ? `Gaps, mostly surrounded by the territory: ${joinFirst(gaps)}.` : 'No gaps.',
    `Compactness, by piece: Polsby-Popper ${round(polsbyPopper, 2)} (1 is a circle), fills ` +
      `${Math.round(100 * hullRatio)}% of the convex hull.`,
  ].join(' ');
}

const inBrackets = (text: string) => `(${text})`;

function overlapText(shared: readonly Overlap[]): string {
  if (shared.length === 0) return 'No ZIP code is shared with another brand.';
  const holders = shared.map(({ zip, brands, others }) => {
    const hidden = others > 0 ? [pluralize(others, 'other brand')] : [];
    return `${zip} (${[...brands.map(({ name }) => name), ...hidden].join(', ')})`;
  });
  return `${pluralize(shared.length, 'ZIP code')} held by several brands: ${joinFirst(holders)}.`;
}

const deviationText = ({ brandName, deviationPct }: z.output<typeof balancedBrand>) =>
  `${brandName} ${deviationPct > 0 ? '+' : ''}${deviationPct}%`;

function balanceText({ by, mean, brands }: ReturnType<typeof balanceData>): string {
  const rows = brands.map(deviationText);
  return `Balance by ${by}, against the mean of ${formatCount(mean)}: ${joinFirst(rows)}.`;
}

function nextStep(
  named: boolean,
  shape: Shape | null,
  shared: readonly Overlap[],
  brands: number,
): string {
  if (brands === 0) return 'This credential has access to no brands.';
  if (named && !shape) {
    return 'Next: find ZIP codes to request with service_score_territory or service_discover_zips.';
  }
  if (!named) return 'Next: name a brand to see islands, holes, and gaps.';
  if (shape && shape.holes.length + shape.gaps.length > 0) {
    return 'Next: check holes and gaps with service_get_zip_profile, and fill them with service_apply_territory.';
  }
  if (shared.length > 0) return 'Next: resolve overlaps with service_remove_territory.';
  return 'Next: get advice with service_compare_brand_to_scores.';
}
