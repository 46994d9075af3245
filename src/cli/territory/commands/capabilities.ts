/** `territory capabilities`: what the key can do, and what is left of it. */
import { z } from 'zod';
import { count } from '../../figures.ts';
import type { Paper } from '../../paper.ts';
import { table, wrapped } from '../../table.ts';
import { jsonCall, paragraphs, reading, type Command } from '../command.ts';

const Capabilities = z.object({
  accessEnabled: z.boolean(),
  organization: z.object({ slug: z.string(), name: z.string() }),
  plan: z.object({ status: z.string(), trialEndsAt: z.string().nullable() }),
  usage: z.object({
    period: z.string(),
    unitsIncluded: z.number(),
    unitsUsed: z.number(),
    unitsRemaining: z.number(),
    resetsAt: z.string(),
  }),
  whyNot: z.string().nullable(),
  brandScope: z.object({
    all: z.boolean(),
    brands: z.array(z.object({ slug: z.string(), name: z.string() })),
  }),
  limits: z.object({
    zipsPerCall: z.number(),
    requestsPerMinute: z.number(),
    requestsPerDay: z.number(),
  }),
});
type Capabilities = z.output<typeof Capabilities>;

const text = reading(Capabilities, (answer, paper) => {
  const { organization, whyNot, brandScope } = answer;
  return paragraphs(
    paper.paint('bold', organization.name) + paper.paint('dim', `  (${organization.slug})`),
    factsText(answer, paper),
    whyNot === null ? '' : wrapped(`It cannot write: ${whyNot}`, paper.width).join('\n'),
    table(
      paper,
      [
        { heading: 'Brand', cell: ({ name }) => name },
        { heading: 'Slug', cell: ({ slug }) => slug },
      ],
      brandScope.brands,
    ),
    brandScope.all ? '' : paper.paint('dim', 'Other brands are out of the key’s reach.'),
  );
});

function factsText({ accessEnabled, plan, usage, whyNot, limits }: Capabilities, paper: Paper) {
  const trial = plan.trialEndsAt === null ? '' : ` until ${plan.trialEndsAt.slice(0, 10)}`;
  const rows = [
    ['Plan', `${plan.status}${trial}${accessEnabled ? '' : ': calls are not served'}`],
    ['Writes', whyNot === null ? 'yes, with --confirm' : 'no'],
    [`Units in ${usage.period}`, `${count(usage.unitsUsed)} of ${count(usage.unitsIncluded)} used`],
    ['Units left', `${count(usage.unitsRemaining)} until ${usage.resetsAt.slice(0, 10)}`],
    ['Calls', `${count(limits.requestsPerMinute)} a minute, ${count(limits.requestsPerDay)} a day`],
    ['ZIPs of a call', `at most ${count(limits.zipsPerCall)}`],
  ] as const;
  return table(
    paper,
    [
      { heading: 'Of the key', cell: ([name]) => name },
      { heading: '', cell: ([, value]) => value },
    ],
    rows,
  );
}

export const capabilities: Command = {
  usage: 'capabilities',
  summary: 'what the key can do, and the units that are left',
  examples: ['capabilities', 'capabilities --json | jq .usage.unitsRemaining'],
  call: () => ({ ...jsonCall('/agent/capabilities', text), needsKey: true }),
};
