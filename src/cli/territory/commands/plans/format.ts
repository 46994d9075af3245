/** Formats plans, comparisons, and the changes of a plan for a terminal. */
import type { z } from 'zod';
import type { PlanBody, PlanListBody } from '../../../../agent/plans/schema.ts';
import type { PlanApplicationBody } from '../../../../agent/plans/application-schema.ts';
import type { PlanComparisonBody } from '../../../../agent/plans/comparison-schema.ts';
import { isBuiltIn, labelOf } from '../../../../territory/measures.ts';
import { formatCount, joinFirst, pluralize } from '../../../../text/words.ts';
import type { Layout } from '../../../layout.ts';
import { formatEntries, formatTable, wrapText } from '../../../table.ts';
import { formatter, paragraphs } from '../../command.ts';

const schemas = () => import('../../../../agent/plans/schema.ts');

export const formatPlans = formatter(
  async () => (await schemas()).PlanListBody,
  ({ plans, nextCursor }, layout) =>
    paragraphs(
      layout.paint('bold', 'Plans'),
      planTable(plans, layout) || '  No plans yet. Create one with: territory plan-create',
      nextCursor === null ? '' : 'These are the latest plans. To show another one, add its name.',
    ),
);

const planTable = (plans: z.output<typeof PlanListBody>['plans'], layout: Layout) =>
  formatTable(
    layout,
    [
      { heading: 'Name', cell: ({ name }) => name },
      { heading: 'Market', cell: ({ market }) => market, dropOrder: 2 },
      { heading: 'Territories', cell: (plan) => formatCount(plan.territoryCount), right: true },
      { heading: 'ZIP codes', cell: ({ zipCount }) => formatCount(zipCount), right: true },
      { heading: 'Version', cell: ({ version }) => formatCount(version), right: true },
      {
        heading: 'Changed (UTC)',
        cell: ({ changedAt, changedBy }) =>
          `${changedAt.slice(0, 16).replace('T', ' ')} by ${changedBy}`,
        dropOrder: 1,
      },
    ],
    plans,
  );

type Territory = z.output<typeof PlanBody>['territories'][number];

export const formatSolution = formatter(
  async () => (await import('../../../../agent/plans/solve-schema.ts')).SolutionBody,
  ({ plan, summary, borderMiles, bridges }, layout) =>
    paragraphs(
      planText(plan, layout),
      [
        ...wrapText(
          `${summary} Borders: ${formatCount(Math.round(borderMiles))} miles.`,
          layout.width,
        ),
        ...bridges.map(
          ({ from, to, miles }) =>
            `Connected over a gap: ${from} and ${to}, ${miles.toFixed(1)} miles.`,
        ),
      ].join('\n'),
    ),
);

export const formatPlan = formatter(async () => (await schemas()).PlanBody, planText);

function planText(
  { territories, unassigned, balance, withheld, ...plan }: z.output<typeof PlanBody>,
  layout: Layout,
): string {
  return paragraphs(
    layout.paint('bold', `${plan.name}: ${plan.market}`),
    formatTable(
      layout,
      [
        { heading: 'No.', cell: ({ number }) => formatCount(number), right: true },
        { heading: 'Territory', cell: ({ name }) => name },
        { heading: 'Brand', cell: ({ brandName }) => brandName ?? '', dropOrder: 1 },
        { heading: 'ZIP codes', cell: ({ zips }) => formatCount(zips.length), right: true },
        {
          heading: labelOf(balance),
          cell: ({ totals }: Territory) => formatOrDash(amountIn(totals, balance), formatCount),
          right: true,
        },
        {
          heading: 'From mean',
          cell: ({ deviationPct }) => formatOrDash(deviationPct, formatSigned),
          right: true,
        },
        { heading: 'Areas', cell: ({ pieces }) => formatCount(pieces), right: true },
        {
          heading: 'Compact',
          cell: ({ compactness }) => formatOrDash(compactness, (value) => value.toFixed(2)),
          right: true,
          dropOrder: 2,
        },
      ],
      territories,
    ) || '  No territories yet. Add ZIP codes with: territory plan-move',
    [
      `${pluralize(unassigned.length, 'unassigned ZIP code')}. Version ${plan.version}, by ${plan.changedBy}.`,
      ...(withheld === null ? [] : wrapText(withheld, layout.width)),
    ].join('\n'),
  );
}

const amountIn = (totals: Territory['totals'], balance: string) =>
  isBuiltIn(balance) ? totals?.[balance] : totals?.measures[balance];

const formatOrDash = <T>(value: T | null | undefined, format: (value: T) => string) =>
  value == null ? '–' : format(value);

const formatSigned = (pct: number) => `${pct > 0 ? '+' : ''}${pct.toFixed(1)}%`;

export const formatComparison = formatter(
  async () => (await import('../../../../agent/plans/comparison-schema.ts')).PlanComparisonBody,
  (comparison: z.output<typeof PlanComparisonBody>, layout) => {
    const { before, after, territories, moved, withheld } = comparison;
    return paragraphs(
      layout.paint(
        'bold',
        `${after}, compared with ${before === 'live' ? 'the live territories' : before}`,
      ),
      formatTable(
        layout,
        [
          { heading: 'Before', cell: (pair) => pair.before ?? '(new)' },
          { heading: 'After', cell: (pair) => pair.after ?? '(removed)' },
          {
            heading: 'ZIP codes',
            cell: (pair) => change(pair.zipsBefore, pair.zipsAfter),
            right: true,
          },
          { heading: 'Gains', cell: ({ gained }) => formatCount(gained.length), right: true },
          { heading: 'Loses', cell: ({ lost }) => formatCount(lost.length), right: true },
          {
            heading: 'Households',
            cell: ({ totalsBefore, totalsAfter }) =>
              withheld === null
                ? change(totalsBefore?.households ?? 0, totalsAfter?.households ?? 0)
                : '–',
            right: true,
            dropOrder: 1,
          },
          ...uploadedNames(territories).map((name) => ({
            heading: name,
            cell: ({ totalsBefore, totalsAfter }: Pair) =>
              change(totalsBefore?.measures[name] ?? 0, totalsAfter?.measures[name] ?? 0),
            right: true,
            dropOrder: 2,
          })),
        ],
        territories,
      ),
      moved.length === 0
        ? 'No ZIP code changes territories.'
        : wrapText(
            `${pluralize(moved.length, 'ZIP code')} ${moved.length === 1 ? 'changes' : 'change'} territories: ${joinFirst(moved.map(({ zip }) => zip))}.`,
            layout.width,
          ).join('\n'),
      withheld === null ? '' : wrapText(withheld, layout.width).join('\n'),
    );
  },
);

type Pair = z.output<typeof PlanComparisonBody>['territories'][number];

/** Names of the plan's uploaded measures, unless its figures are withheld */
const uploadedNames = (pairs: readonly Pair[]) => [
  ...new Set(
    pairs.flatMap(({ totalsBefore, totalsAfter }) =>
      Object.keys((totalsAfter ?? totalsBefore)?.measures ?? {}),
    ),
  ),
];

const change = (before: number, after: number) =>
  before === after ? formatCount(after) : `${formatCount(before)} → ${formatCount(after)}`;

export const formatApplication = formatter(
  async () => (await import('../../../../agent/plans/application-schema.ts')).PlanApplicationBody,
  ({ status, changes }: z.output<typeof PlanApplicationBody>, layout) =>
    paragraphs(
      layout.paint('bold', status === 'preview' ? 'Preview' : 'Applied'),
      formatTable(
        layout,
        [
          { heading: 'Brand', cell: ({ brandName }) => brandName },
          { heading: 'Territory', cell: ({ territory }) => territory, dropOrder: 1 },
          { heading: 'To review', cell: (one) => formatCount(one.additions.length), right: true },
          { heading: 'Removed', cell: ({ removals }) => formatCount(removals.length), right: true },
          { heading: 'Unchanged', cell: ({ kept }) => formatCount(kept), right: true },
        ],
        changes,
      ),
      formatEntries(
        layout,
        'Skipped ZIP codes',
        changes.flatMap(({ brandName, refused }) =>
          refused.map(({ reason, zips }) => ({
            mark: formatCount(zips.length),
            name: `${brandName}: ${reason}`,
            note: zips.join(', '),
          })),
        ),
      ),
      status === 'preview'
        ? ''
        : 'A reviewer decides on the additions. Undo the removals of a brand on its page.',
    ),
);
