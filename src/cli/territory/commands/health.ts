import { Option } from 'commander';
import type { AnswerOf } from '../../../agent/tool.ts';
import type { getBrandHealth } from '../../../agent/tools/get-brand-health.ts';
import { formatCount, formatPercent, formatTenths } from '../../../text/words.ts';
import type { Layout } from '../../layout.ts';
import { formatEntries, formatTable, type Column } from '../../table.ts';
import { formatter, paragraphs, type Command } from '../command.ts';
import { formatPlace } from '../format-place.ts';
import { metroName } from '../../names.ts';
import { verticalOption } from '../options.ts';
import { toolCall } from '../tool-call.ts';

type Health = AnswerOf<typeof getBrandHealth>;
type Brand = Health['brands'][number];

const format = formatter(
  async () => (await import('../../../agent/tools/get-brand-health.ts')).getBrandHealth.output,
  ({ brandCount, brands, shape, overlapCount, overlaps, balance, proposal }, layout) =>
    paragraphs(
      layout.paint('bold', 'Brand health'),
      formatCounts(brands, layout) || '  This key has access to no brands.',
      brands.length < brandCount
        ? layout.paint(
            'dim',
            `  The first ${brands.length} of ${formatCount(brandCount)} brands. Name a brand to see only that one.`,
          )
        : '',
      formatMarkets(brands, layout),
      shape ? formatShape(shape, layout) : '',
      formatOverlaps(overlaps, overlapCount, layout),
      ...balance.filter((one) => one.brands.length > 1).map((one) => formatBalance(one, layout)),
      ...(proposal ? formatProposal(proposal, layout) : []),
    ),
);

const SCORE_COLUMNS: Column<Brand>[] = [
  {
    heading: 'Avg. score',
    cell: ({ averageScore }) => formatTenths(averageScore),
    right: true,
  },
  {
    heading: 'Opportunity',
    cell: ({ opportunity }) => formatCount(opportunity),
    right: true,
    dropOrder: 1,
  },
];

function formatCounts(brands: readonly Brand[], layout: Layout): string {
  const scored = brands.some(({ averageScore }) => averageScore !== null);
  return formatTable(
    layout,
    [
      { heading: 'Brand', cell: ({ brandName }) => brandName },
      { heading: 'Live', cell: ({ live }) => formatCount(live), right: true },
      { heading: 'Pending', cell: ({ pending }) => formatCount(pending), right: true },
      { heading: 'Shared', cell: ({ shared }) => formatCount(shared), right: true },
      { heading: 'Isolated', cell: ({ isolated }) => formatCount(isolated), right: true },
      { heading: 'Households', cell: ({ households }) => formatCount(households), right: true },
      ...(scored ? SCORE_COLUMNS : []),
    ],
    brands,
  );
}

const formatMarkets = (brands: readonly Brand[], layout: Layout) =>
  formatTable(
    layout,
    [
      { heading: 'Brand', cell: ({ brandName }) => brandName },
      { heading: 'Market', cell: ({ metro }) => metroName(metro) },
      { heading: 'ZIP codes', cell: ({ heldZips, zips }) => `${heldZips} of ${zips}`, right: true },
      { heading: 'Households', cell: ({ heldPct }) => formatPercent(heldPct), right: true },
    ],
    brands.flatMap(({ brandName, markets }) => markets.map((market) => ({ brandName, ...market }))),
  );

function formatShape(shape: NonNullable<Health['shape']>, layout: Layout): string {
  const groups = (lists: string[][]) => lists.map((zips) => `(${zips.join(', ')})`).join(', ');
  const entry = (name: string, { length }: readonly unknown[], note: string) => ({
    mark: formatCount(length),
    name,
    note: note || 'none',
  });
  return formatEntries(
    layout,
    `Shape: ${formatCount(shape.pieces)} ${shape.pieces === 1 ? 'piece' : 'pieces'}; Polsby-Popper ` +
      `${shape.polsbyPopper} (1 is a circle), ${Math.round(100 * shape.hullRatio)}% of the convex hull`,
    [
      entry('islands (pieces other than the largest)', shape.islands, groups(shape.islands)),
      entry('holes, enclosed by the territory', shape.holes, groups(shape.holes)),
      entry('gaps, mostly surrounded by the territory', shape.gaps, shape.gaps.join(', ')),
    ],
  );
}

function formatOverlaps(overlaps: Health['overlaps'], total: number, layout: Layout): string {
  const shown = overlaps.length < total ? ` (${overlaps.length} of ${formatCount(total)})` : '';
  const describeHidden = (others: number) =>
    others > 0 ? [`${others} ${others === 1 ? 'brand' : 'brands'} outside the key’s scope`] : [];
  return formatTable(
    layout,
    [
      { heading: `Shared ZIP${shown}`, cell: ({ zip }) => zip },
      {
        heading: 'Brands',
        cell: ({ brandNames, others }) => [...brandNames, ...describeHidden(others)].join(', '),
      },
    ],
    overlaps,
  );
}

const formatBalance = ({ by, mean, brands }: Health['balance'][number], layout: Layout) =>
  formatTable(
    layout,
    [
      { heading: `Balance by ${by}`, cell: ({ brandName }) => brandName },
      { heading: 'Total', cell: ({ total }) => formatCount(total), right: true },
      {
        heading: `From mean (${formatCount(mean)})`,
        cell: ({ deviationPct }) => `${deviationPct > 0 ? '+' : ''}${formatPercent(deviationPct)}`,
        right: true,
      },
    ],
    brands,
  );

function formatProposal(
  { by, moves, before, after }: NonNullable<Health['proposal']>,
  layout: Layout,
) {
  const nameOf = new Map(after.map(({ brand, brandName }) => [brand, brandName]));
  const right = true;
  return [
    formatTable(
      layout,
      [
        { heading: 'Hand over', cell: ({ zip }) => zip },
        { heading: 'Place', cell: formatPlace },
        { heading: 'From', cell: ({ from }) => nameOf.get(from)! },
        { heading: 'To', cell: ({ to }) => nameOf.get(to)! },
        {
          heading: by === 'households' ? 'Households' : 'Opportunity',
          cell: ({ value }) => formatCount(value),
          right,
        },
      ],
      moves,
    ) || '  No move balances these brands better.',
    formatTable(
      layout,
      [
        { heading: 'After the moves', cell: ({ brandName }) => brandName },
        { heading: 'Total', cell: ({ total }) => formatCount(total), right },
        {
          heading: 'From mean',
          cell: ({ deviationPct }) =>
            `${deviationPct > 0 ? '+' : ''}${formatPercent(deviationPct)}`,
          right,
        },
        {
          heading: 'Now',
          cell: ({ brand }) =>
            formatPercent(before.find((one) => one.brand === brand)?.deviationPct),
          right,
        },
      ],
      after,
    ),
  ];
}

export const health: Command = {
  usage: 'health [brand]',
  summary: 'show counts, markets, overlaps, and balance of brands',
  options: [
    verticalOption('also show average score and opportunity'),
    new Option('--balance <brands>', 'propose ZIP codes that these brands could hand over'),
  ],
  examples: [
    'health',
    'health lone-star-roofing',
    'health --balance lone-star-roofing,desert-air-hvac',
    'health lone-star-roofing --vertical roofing --json',
  ],
  call: ([brand], { vertical, balance }) => {
    const brands = (balance as string | undefined)?.split(',').map((name) => name.trim());
    return toolCall('service_get_brand_health', { brand, vertical, balance: brands }, format);
  },
};
