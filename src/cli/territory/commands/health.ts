/** `territory health`: how brands stand, and the shape of one. */
import { z } from 'zod';
import { count, oneDecimal } from '../../figures.ts';
import type { Paper } from '../../paper.ts';
import { entries, table } from '../../table.ts';
import { paragraphs, reading, type Command } from '../command.ts';
import { verticalOption } from '../options.ts';
import { toolCall } from '../tool-call.ts';
import { figure } from '../ranked-zip.ts';

const zips = z.array(z.string());
const Brand = z.object({
  brand: z.string(),
  live: z.number(),
  pending: z.number(),
  shared: z.number(),
  isolated: z.number(),
  households: z.number(),
  averageScore: figure,
  opportunity: figure,
  markets: z.array(
    z.object({ metro: z.string(), zips: z.number(), heldZips: z.number(), heldPct: z.number() }),
  ),
});

const Shape = z.object({
  pieces: z.number(),
  islands: z.array(zips),
  holes: z.array(zips),
  gaps: zips,
  polsbyPopper: z.number(),
  hullRatio: z.number(),
});

const Overlap = z.object({ zip: z.string(), brands: zips, others: z.number() });

const Balance = z.object({
  by: z.string(),
  mean: z.number(),
  brands: z.array(z.object({ brand: z.string(), total: z.number(), deviationPct: z.number() })),
});

const Health = z.object({
  brandCount: z.number(),
  brands: z.array(Brand),
  shape: Shape.nullable(),
  overlapCount: z.number(),
  overlaps: z.array(Overlap),
  balance: z.array(Balance),
});

const text = reading(Health, (answer, paper) => {
  const { brandCount, brands, shape, overlapCount, overlaps, balance } = answer;
  return paragraphs(
    paper.paint('bold', 'Health of brands'),
    countsText(brands, paper) || '  There is no brand within the key’s reach.',
    brands.length < brandCount
      ? paper.paint('dim', `  The first ${brands.length} of ${count(brandCount)}: name one.`)
      : '',
    marketsText(brands, paper),
    shape ? shapeText(shape, paper) : '',
    overlapsText(overlaps, overlapCount, paper),
    ...balance.filter((one) => one.brands.length > 1).map((one) => balanceText(one, paper)),
  );
});

function countsText(brands: readonly z.output<typeof Brand>[], paper: Paper): string {
  const scored = brands.some(({ averageScore }) => averageScore !== null);
  return table(
    paper,
    [
      { heading: 'Brand', cell: ({ brand }) => brand },
      { heading: 'Live', cell: ({ live }) => count(live), right: true },
      { heading: 'Pending', cell: ({ pending }) => count(pending), right: true },
      { heading: 'Shared', cell: ({ shared }) => count(shared), right: true },
      { heading: 'Isolated', cell: ({ isolated }) => count(isolated), right: true },
      { heading: 'Households', cell: ({ households }) => count(households), right: true },
      ...(scored
        ? [
            {
              heading: 'Average',
              cell: (brand: z.output<typeof Brand>) => oneDecimal(brand.averageScore),
              right: true,
            },
            {
              heading: 'Opportunity',
              cell: (brand: z.output<typeof Brand>) => count(brand.opportunity),
              right: true,
              spare: 1,
            },
          ]
        : []),
    ],
    brands,
  );
}

const marketsText = (brands: readonly z.output<typeof Brand>[], paper: Paper) =>
  table(
    paper,
    [
      { heading: 'Brand', cell: ({ brand }) => brand },
      { heading: 'in the market', cell: ({ metro }) => metro },
      { heading: 'ZIPs', cell: ({ heldZips, zips }) => `${heldZips} of ${zips}`, right: true },
      { heading: 'Households', cell: ({ heldPct }) => `${oneDecimal(heldPct)} %`, right: true },
    ],
    brands.flatMap(({ brand, markets }) => markets.map((market) => ({ brand, ...market }))),
  );

function shapeText(shape: z.output<typeof Shape>, paper: Paper): string {
  const groups = (lists: string[][]) => lists.map((zips) => `(${zips.join(', ')})`).join(', ');
  const found = (name: string, { length }: readonly unknown[], note: string) => ({
    mark: count(length),
    name,
    note: note || 'none',
  });
  return entries(
    paper,
    `Shape: ${count(shape.pieces)} ${shape.pieces === 1 ? 'piece' : 'pieces'}; Polsby-Popper ` +
      `${shape.polsbyPopper} (1: a circle), ${Math.round(100 * shape.hullRatio)} % of the convex hull`,
    [
      found('islands apart from the largest', shape.islands, groups(shape.islands)),
      found('holes that it surrounds', shape.holes, groups(shape.holes)),
      found('gaps, mostly bordered by it', shape.gaps, shape.gaps.join(', ')),
    ],
  );
}

function overlapsText(
  overlaps: readonly z.output<typeof Overlap>[],
  total: number,
  paper: Paper,
): string {
  const shown = overlaps.length < total ? ` (${overlaps.length} of ${count(total)})` : '';
  const hidden = (others: number) => (others > 0 ? [`${others} out of the key’s reach`] : []);
  return table(
    paper,
    [
      { heading: 'Held by several', cell: ({ zip }) => zip },
      {
        heading: `brands${shown}`,
        cell: ({ brands, others }) => [...brands, ...hidden(others)].join(', '),
      },
    ],
    overlaps,
  );
}

function balanceText({ by, mean, brands }: z.output<typeof Balance>, paper: Paper): string {
  return table(
    paper,
    [
      { heading: `Balance by ${by}`, cell: ({ brand }) => brand },
      { heading: 'Total', cell: ({ total }) => count(total), right: true },
      {
        heading: `from the mean, ${count(mean)}`,
        cell: ({ deviationPct }) => `${deviationPct > 0 ? '+' : ''}${oneDecimal(deviationPct)} %`,
        right: true,
      },
    ],
    brands,
  );
}

export const health: Command = {
  usage: 'health [brand]',
  summary: 'counts, markets, overlaps and balance of brands',
  options: [verticalOption('also the average score and the opportunity in it')],
  examples: [
    'health',
    'health lone-star-roofing',
    'health lone-star-roofing --vertical roofing --json',
  ],
  call: ([brand], { vertical }) => toolCall('service_get_brand_health', { brand, vertical }, text),
};
