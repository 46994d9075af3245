/** How brands stand: counts, market size, balance, and the shape of one brand's territory. */
import { z } from 'zod';
import { brandNamed } from '../../territory/brands.ts';
import { balances, healthOfBrands, type Health } from '../../territory/health.ts';
import { overlaps, type Overlap } from '../../territory/overlaps.ts';
import { shapeOf, type Shape } from '../../territory/shape.ts';
import { brand, figure, vertical } from '../fields.ts';
import { tool } from '../tool.ts';
import { count, counted, listed } from '../../words.ts';

/** Lists are cut to this many; the counts beside them are whole. */
const MOST_LISTED = 50;
const MOST_BRANDS = 25;

const zipCodes = z.array(z.string());
export const getBrandHealth = tool({
  name: 'service_get_brand_health',
  title: 'Check the health of brands',
  summary: 'Counts live, pending, shared and isolated ZIPs, market share and balance of brands',
  description:
    'Use it before changing a territory. Name a brand to also get its shape: islands, holes, gaps, ' +
    'compactness. With a vertical, opportunity is households weighted by score.',
  units: 1,
  write: false,
  input: z.object({ brand: brand.optional(), vertical: vertical.optional() }),
  output: z.object({
    brandCount: z.int(),
    brands: z.array(
      z.object({
        brand: z.string(),
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
        islands: z.array(zipCodes),
        holes: z.array(zipCodes),
        gaps: zipCodes,
        polsbyPopper: z.number(),
        hullRatio: z.number(),
      })
      .nullable(),
    overlapCount: z.int(),
    overlaps: z.array(z.object({ zip: z.string(), brands: zipCodes, others: z.int() })),
    balance: z.array(
      z.object({
        by: z.enum(['households', 'opportunity']),
        mean: z.number(),
        brands: z.array(
          z.object({
            brand: z.string(),
            total: z.number(),
            deviationPct: z.number(),
            index: z.int().describe('100: the mean; 0: nothing or twice it'),
          }),
        ),
      }),
    ),
  }),
  example: { brand: 'lone-star-roofing', vertical: 'roofing' },
  async handle(input, { caller: { tenant, brandScope } }) {
    const named =
      input.brand === undefined ? null : await brandNamed(tenant, brandScope, input.brand);
    const all = await healthOfBrands(tenant, brandScope, input.vertical ?? null);
    const asked = all.filter(({ brand }) => !named || brand.id === named.id);
    const shown = asked.slice(0, MOST_BRANDS);
    const shape = named && (await shapeOf(tenant, named));
    const shared = await overlaps(tenant, brandScope, named);
    const { households, opportunity } = balances(all);
    const data = {
      brandCount: asked.length,
      brands: shown.map(brandData),
      shape: shape && shapeData(shape),
      overlapCount: shared.length,
      overlaps: shared.slice(0, MOST_LISTED),
      balance: [
        balanceData('households', households),
        ...(opportunity ? [balanceData('opportunity', opportunity)] : []),
      ],
    };
    const text = [
      ...shown.map((health) => brandText(health, input.vertical)),
      ...(asked.length > shown.length
        ? [`And ${counted(asked.length - shown.length, 'more brand')}: name one.`]
        : []),
      ...(named ? [shapeText(shape)] : []),
      overlapText(shared),
      ...(all.length > 1 ? data.balance.map(balanceText) : []),
      nextStep(named !== null, shape, shared, shown.length),
    ].join('\n');
    return { data, text };
  },
});

function brandData({ brand, live, pending, shared, isolated, totals, ...markets }: Health) {
  const { zips: _, ...rest } = totals;
  return {
    brand: brand.slug,
    live,
    pending,
    shared,
    isolated,
    ...rest,
    markets: markets.markets,
    zipsOutsideMetros: markets.zipsOutsideMetros,
  };
}

/** Two decimals tell territories apart; lists are as long as a model can use. */
function shapeData(shape: Shape) {
  const cut = (lists: string[][]) =>
    lists.slice(0, MOST_LISTED).map((list) => list.slice(0, MOST_LISTED));
  return {
    ...shape,
    islands: cut(shape.islands),
    holes: cut(shape.holes),
    gaps: shape.gaps.slice(0, MOST_LISTED),
    polsbyPopper: hundredths(shape.polsbyPopper),
    hullRatio: hundredths(shape.hullRatio),
  };
}

const hundredths = (value: number) => Math.round(100 * value) / 100;

function balanceData(
  by: 'households' | 'opportunity',
  { mean, territories }: ReturnType<typeof balances>['households'],
) {
  const rows = territories.map(({ id, ...row }) => ({ brand: id, ...row }));
  return { by, mean, brands: rows.toSorted(furthestFirst).slice(0, MOST_BRANDS) };
}

const furthestFirst = (a: { deviationPct: number }, b: { deviationPct: number }) =>
  Math.abs(b.deviationPct) - Math.abs(a.deviationPct);

function brandText(health: Health, vertical: string | undefined): string {
  const { brand, live, pending, shared, isolated, totals, markets, zipsOutsideMetros } = health;
  if (totals.zips === 0) return `${brand.name} (${brand.slug}) holds no ZIPs yet.`;
  const scored =
    totals.averageScore === null
      ? ''
      : ` Average ${vertical} score ${totals.averageScore}, opportunity ${count(totals.opportunity!)}.`;
  const shares = markets.map(
    ({ metro, zips, heldZips, heldPct }) =>
      `${count(heldZips)} of ${counted(zips, 'ZIP')} in ${metro} (${heldPct} % of its households)`,
  );
  if (zipsOutsideMetros > 0)
    shares.push(`${counted(zipsOutsideMetros, 'ZIP')} outside the launched metros`);
  return (
    `${brand.name} (${brand.slug}) holds ${counted(totals.zips, 'ZIP')}: ${count(live)} live, ` +
    `${count(pending)} pending; ${count(shared)} shared, ${count(isolated)} isolated. ` +
    `${counted(totals.households, 'household')}, ${count(totals.ownerOccupiedHouseholds)} of them ` +
    `owners, on ${count(totals.landAreaSqMi)} square miles.${scored} It has ${shares.join(', ')}.`
  );
}

function shapeText(shape: Shape | null): string {
  if (!shape) return 'Its shape: none, since it holds no ZIP that has a boundary.';
  const { pieces, livePieces, islands, holes, gaps, polsbyPopper, hullRatio } = shape;
  const live = livePieces === pieces ? '' : ` (its live ZIPs alone: ${livePieces})`;
  const groups = (lists: string[][]) => listed(lists.map((zips) => listed(zips, 8)).map(bracketed));
  return [
    `Its shape: ${counted(pieces, 'piece')}${live}.`,
    islands.length > 0 ? `Islands apart from the largest: ${groups(islands)}.` : 'No islands.',
    holes.length > 0 ? `Holes it surrounds: ${groups(holes)}.` : 'No holes.',
    gaps.length > 0 ? `Gaps, mostly bordered by it: ${listed(gaps)}.` : 'No gaps.',
    `Compactness, by piece: Polsby-Popper ${hundredths(polsbyPopper)} (1 is a circle), fills ` +
      `${Math.round(100 * hullRatio)} % of the convex hull.`,
  ].join(' ');
}

const bracketed = (text: string) => `(${text})`;

function overlapText(shared: readonly Overlap[]): string {
  if (shared.length === 0) return 'No ZIP is shared with another brand.';
  const told = shared.map(({ zip, brands, others }) => {
    const hidden = others > 0 ? [counted(others, 'other brand')] : [];
    return `${zip} (${[...brands, ...hidden].join(', ')})`;
  });
  return `${counted(shared.length, 'ZIP')} held by several brands: ${listed(told)}.`;
}

function balanceText({ by, mean, brands }: ReturnType<typeof balanceData>): string {
  const rows = brands.map(
    ({ brand, deviationPct }) => `${brand} ${deviationPct > 0 ? '+' : ''}${deviationPct} %`,
  );
  return `Balance by ${by}, against the mean of ${count(mean)}: ${listed(rows)}.`;
}

function nextStep(
  named: boolean,
  shape: Shape | null,
  shared: readonly Overlap[],
  brands: number,
): string {
  if (brands === 0) return 'There are no brands within reach of this credential.';
  if (named && !shape) {
    return 'Next: service_score_territory or service_discover_zips finds ZIPs to apply for.';
  }
  if (!named) return 'Next: name one brand to see islands, holes and gaps.';
  if (shape && shape.holes.length + shape.gaps.length > 0) {
    return 'Next: fill holes and gaps with service_apply_territory, or look at them first with service_get_zip_profile.';
  }
  if (shared.length > 0) return 'Next: settle overlaps with service_remove_territory.';
  return 'Next: service_compare_brand_to_scores tells what to keep, cut and add.';
}
