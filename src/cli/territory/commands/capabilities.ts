import type { Capabilities } from '../../../agent/capabilities.ts';
import { formatAmount } from '../../../own-data/amount-text.ts';
import { formatCount } from '../../../text/words.ts';
import type { Layout } from '../../layout.ts';
import { formatTable, wrapText } from '../../table.ts';
import { formatter, jsonCall, paragraphs, type Command } from '../command.ts';

const format = formatter(
  async () => (await import('../../../agent/capabilities.ts')).Capabilities,
  (answer, layout) => {
    const { organization, whyNot, brandScope } = answer;
    return paragraphs(
      layout.paint('bold', organization.name) + layout.paint('dim', `  (${organization.slug})`),
      formatFacts(answer, layout),
      whyNot === null ? '' : wrapText(`Writes are denied: ${whyNot}`, layout.width).join('\n'),
      formatTable(
        layout,
        [
          { heading: 'Used this month by', cell: ({ tool }) => tool },
          { heading: 'Calls', cell: ({ calls }) => formatCount(calls), right: true },
          { heading: 'Units', cell: ({ units }) => formatCount(units), right: true },
        ],
        answer.usageByTool,
      ),
      formatTable(
        layout,
        [
          { heading: 'Day', cell: ({ day }) => day },
          { heading: 'Units', cell: ({ units }) => formatCount(units), right: true },
        ],
        answer.usageByDay.slice(0, 7),
      ),
      formatTable(
        layout,
        [
          { heading: 'Brand', cell: ({ name }) => name },
          { heading: 'Slug', cell: ({ slug }) => slug },
        ],
        brandScope.brands,
      ),
      formatTable(
        layout,
        [
          { heading: 'Data set', cell: ({ name }) => name },
          { heading: 'Slug', cell: ({ slug }) => slug },
          { heading: 'ZIP codes', cell: ({ zips }) => formatCount(zips), right: true },
          {
            heading: 'Total or mean',
            cell: (set) => formatAmount(set, set.total),
            right: true,
          },
        ],
        answer.dataSets,
      ),
      brandScope.all ? '' : layout.paint('dim', 'The key has no access to other brands.'),
    );
  },
);

function formatFacts(
  { accessEnabled, plan, usage, figures, whyNot, limits }: Capabilities,
  layout: Layout,
): string {
  const trial = plan.trialEndsAt === null ? '' : ` until ${plan.trialEndsAt.slice(0, 10)}`;
  const noAccess = accessEnabled ? '' : ' (calls are refused)';
  const rows = [
    ['Plan', plan.status + trial + noAccess],
    ['Can write', whyNot === null ? 'yes, with --confirm' : 'no'],
    [
      `Units, ${usage.period}`,
      `${formatCount(usage.unitsUsed)} of ${formatCount(usage.unitsIncluded)} used`,
    ],
    ['Units left', `${formatCount(usage.unitsRemaining)} until ${usage.resetsAt.slice(0, 10)}`],
    [`Figures, ${figures.period}`, figuresText(figures)],
    [
      'Exports',
      `1 unit per ${formatCount(limits.exportRowsPerUnit)} ZIP codes with figures, on the account pages`,
    ],
    [
      'Requests',
      `${formatCount(limits.requestsPerMinute)} per minute, ${formatCount(limits.requestsPerDay)} per day`,
    ],
    ['ZIP codes', `up to ${formatCount(limits.zipsPerCall)} per call`],
  ] as const;
  return formatTable(
    layout,
    [
      { heading: 'Access', cell: ([name]) => name },
      { heading: '', cell: ([, value]) => value },
    ],
    rows,
  );
}

const figuresText = ({ zipsIncluded, zipsSeen, zipsRemaining }: Capabilities['figures']) =>
  zipsIncluded === null
    ? 'all ZIP codes'
    : `${formatCount(zipsSeen)} of ${formatCount(zipsIncluded)} ZIP codes seen, ${formatCount(zipsRemaining)} left`;

export const capabilities: Command = {
  usage: 'capabilities',
  summary: 'show what the key can do and the units left',
  examples: ['capabilities', 'capabilities --json | jq .usage.unitsRemaining'],
  call: () => ({ ...jsonCall('/agent/capabilities', format), needsKey: true }),
};
