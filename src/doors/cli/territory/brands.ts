/** Commands for brands: their territories, requests, share links, and pictures. */
import { textOf } from './input.ts';
import { InvalidArgumentError, Option } from 'commander';
import { formatCount, formatTenths } from '../../../base/text/words.ts';
import { formatAmount } from '../../../territories/own-data/amount-text.ts';
import { EXAMPLE_TOKEN } from '../../../territories/share/token.ts';
import type { Capabilities } from '../../tools/capabilities.ts';
import type { getActivity } from '../../tools/get-activity.ts';
import type { getBrandHealth } from '../../tools/get-brand-health.ts';
import type { getBrandTerritory } from '../../tools/get-brand-territory.ts';
import type { listBrands } from '../../tools/list-brands.ts';
import type { listPendingReview } from '../../tools/list-pending-review.ts';
import type { listShareLinks } from '../../tools/list-share-links.ts';
import type { AnswerOf } from '../../tools/tool.ts';
import { formatPlace, minuteOf } from '../names.ts';
import { formatEntries, formatFacts, formatTable, paragraphs, wrapLines } from '../table.ts';
import type { Command, Formats, Formatter } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { isRecord } from './json.ts';
import { formatNextPage } from './markets.ts';

const PREFIX = 'service_';

function parseInput(text: string): Record<string, unknown> {
  try {
    const input: unknown = JSON.parse(text);
    if (isRecord(input)) return input;
  } catch {
    // Handled below, like JSON that isn't an object.
  }
  throw new Failure(
    EXIT.usage,
    '--args is not a JSON object. Example: {"brand":"lone-star-roofing"}',
  );
}

function parseSize(text: string) {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(text) ?? [];
  if (!width) throw new InvalidArgumentError('Expected width and height, such as 1200x800.');
  return { width: Number(width), height: Number(height) };
}

export const brandCommands: readonly Command[] = [
  {
    usage: 'capabilities',
    summary: 'show what the key can do and the units left',
    calls: ['getAgentCapabilities'],
    examples: ['capabilities'],
  },
  { usage: 'brands', calls: ['service_list_brands'], examples: ['brands'] },
  {
    usage: 'brand',
    calls: ['service_get_brand_territory'],
    names: { reviewStatus: 'review' },
    texts: { status: 'live, pending, or removed (default: live and pending)' },
    examples: ['brand lone-star-roofing', 'brand "Lone Star Roofing" --state TX --flag shared'],
  },
  {
    usage: 'health [brand]',
    calls: ['service_get_brand_health'],
    texts: { balance: 'propose ZIP codes that these brands could hand over: slugs, with commas' },
    read: { balance: (text) => text.split(',').map((name) => name.trim()) },
    examples: [
      'health',
      'health lone-star-roofing',
      'health --balance lone-star-roofing,desert-air-hvac',
    ],
  },
  {
    usage: 'compare',
    calls: ['service_compare_brand_to_scores'],
    examples: [
      'compare lone-star-roofing roofing --limit 5',
      'compare desert-air-hvac hvac --keep-from 40 --add-from 90',
      'compare lone-star-roofing roofing --compare-with jobs-2025',
    ],
  },
  {
    usage: 'render [brand]',
    calls: ['service_render_territory_map'],
    type: 'image/png',
    hides: ['width', 'height', 'fit'],
    more: [new Option('--size <size>', 'width and height (default: 800x600)').argParser(parseSize)],
    // The size limit of answers to AI apps doesn't apply to files.
    input: ({ size }) => ({ ...size, fit: false }),
    examples: [
      'render lone-star-roofing -o map.png',
      'render --metro phoenix-az --vertical hvac --style dark -o map.png',
      'render --zips 75201,75204,75219 --size 600x400 -o map.png',
      'render --metro dallas-tx --color data:jobs-2025 -o map.png',
    ],
  },
  {
    usage: 'sign-url',
    summary: 'sign the URL of a static picture, to paste it into a website',
    calls: ['createSignedUrl'],
    examples: [
      'sign-url /static/light/brand:lone-star-roofing/auto/600x400@2x.png',
      "sign-url '/static/dark/zips:75201,75204:hvac/auto/800x418.webp?title=Where we work' --days 90",
    ],
  },
  {
    usage: 'exhibit',
    summary: 'make a PDF of a brand’s territory to attach to an agreement',
    calls: ['makeTerritoryExhibit'],
    names: { dataSets: 'data' },
    examples: [
      'exhibit lone-star-roofing -o exhibit.pdf',
      'exhibit lone-star-roofing --vertical roofing --paper a4 -o exhibit.pdf',
    ],
  },
  {
    usage: 'export',
    summary: 'export a brand’s territory with figures: Excel, CSV, GeoJSON, KML, or shapefile',
    calls: ['exportTerritory'],
    names: { dataSets: 'data' },
    examples: [
      'export lone-star-roofing -o territory.xlsx',
      'export lone-star-roofing --format kml --detail street -o territory.kml',
      'export lone-star-roofing --format shp -o territory.zip',
    ],
  },
  {
    usage: 'pending',
    calls: ['service_list_pending_review'],
    names: { batchId: 'batch' },
    texts: { batch: 'the ZIP codes of one request' },
    examples: ['pending', 'pending --brand desert-air-hvac'],
  },
  {
    usage: 'activity',
    calls: ['service_get_activity'],
    hides: ['scope'],
    more: [new Option('--organization', 'changes by everyone in the organization')],
    input: ({ organization }) => ({ scope: organization && 'organization' }),
    examples: [
      'activity',
      'activity --organization --since 7d',
      'activity --organization --brand lone-star-roofing --limit 5',
    ],
  },
  { usage: 'shares', calls: ['service_list_share_links'], examples: ['shares'] },
  {
    usage: 'call <tool>',
    summary: 'call any tool by name with a JSON input',
    calls: [],
    more: [
      new Option('--args <json>', 'input: a JSON object, @file, or - for standard input'),
      new Option('--confirm', 'same as "confirm": true in the input'),
    ],
    async perform({ callTool, readArgument }, { tool, args = '{}', confirm }) {
      const input = parseInput(await textOf(await readArgument(args)));
      const name = tool.startsWith(PREFIX) ? tool : PREFIX + tool;
      return callTool(name, { ...input, ...(confirm && { confirm }) });
    },
    examples: [
      'call service_list_brands',
      'call service_apply_territory --args @input.json --confirm',
    ],
  },
  {
    usage: 'apply',
    calls: ['service_apply_territory'],
    examples: [
      'apply lone-star-roofing 76102 76107',
      'apply lone-star-roofing 76102 76107 --note "Next to our crews" --confirm',
      'apply lone-star-roofing @zips.txt --confirm',
    ],
  },
  {
    usage: 'remove',
    calls: ['service_remove_territory'],
    examples: [
      'remove lone-star-roofing 75201 75204',
      'remove lone-star-roofing 75201 75204 --reason Overlap --confirm',
    ],
  },
  {
    usage: 'share',
    calls: ['service_share_territory_map'],
    names: { expiresInDays: 'days' },
    texts: {
      kind: 'brand: follows changes; zip_snapshot: stays as it is now',
      title: 'title shown on the map',
      days: 'days until it expires, 1 to 365 (default: 30)',
    },
    examples: [
      'share lone-star-roofing --title "Where we roof"',
      'share lone-star-roofing --kind zip_snapshot --days 7 --confirm',
    ],
  },
  {
    usage: 'unshare',
    calls: ['service_revoke_share_link'],
    examples: [`unshare ${EXAMPLE_TOKEN}`, `unshare ${EXAMPLE_TOKEN} --confirm`],
  },
];

const capabilities: Formatter<Capabilities> = (answer, layout) => {
  const { organization, whyNot, brandScope, plan, usage, figures, limits } = answer;
  const until = plan.trialEndsAt === null ? '' : ` until ${plan.trialEndsAt.slice(0, 10)}`;
  const seen =
    figures.zipsIncluded === null
      ? 'all ZIP codes'
      : `${formatCount(figures.zipsSeen)} of ${formatCount(figures.zipsIncluded)} ZIP codes seen, ` +
        `${formatCount(figures.zipsRemaining)} left`;
  return paragraphs(
    layout.paint('bold', organization.name) + layout.paint('dim', `  (${organization.slug})`),
    formatFacts(layout, {
      Plan: plan.status + until + (answer.accessEnabled ? '' : ' (calls are refused)'),
      'Can write': whyNot === null ? 'yes, with --confirm' : 'no',
      [`Units, ${usage.period}`]: `${formatCount(usage.unitsUsed)} of ${formatCount(usage.unitsIncluded)} used`,
      'Units left': `${formatCount(usage.unitsRemaining)} until ${usage.resetsAt.slice(0, 10)}`,
      [`Figures, ${figures.period}`]: seen,
      Exports: `1 unit per ${formatCount(limits.exportRowsPerUnit)} ZIP codes with figures`,
      Requests: `${formatCount(limits.requestsPerMinute)} per minute, ${formatCount(limits.requestsPerDay)} per day`,
      'ZIP codes': `up to ${formatCount(limits.zipsPerCall)} per call`,
    }),
    whyNot === null ? '' : wrapLines(`Writes are denied: ${whyNot}`, layout),
    formatTable(layout, answer.usageByTool, {
      'Used this month by': 'tool',
      Calls: 'calls',
      Units: 'units',
    }),
    formatTable(layout, answer.usageByDay.slice(0, 7), { Day: 'day', Units: 'units' }),
    formatTable(layout, brandScope.brands, { Brand: 'name', Slug: 'slug' }),
    formatTable(layout, answer.dataSets, {
      'Data set': 'name',
      Slug: 'slug',
      'ZIP codes': 'zips',
      'Total or mean': (set) => formatAmount(set, set.total),
    }),
    brandScope.all ? '' : layout.paint('dim', 'The key has no access to other brands.'),
  );
};

const brands: Formatter<AnswerOf<typeof listBrands>> = (answer, layout) =>
  paragraphs(
    layout.paint('bold', 'Brands'),
    formatTable(
      layout,
      answer.brands,
      { Name: 'name', Slug: 'slug', Live: 'live', Pending: 'pending' },
      '  This key has access to no brands.',
    ),
    formatNextPage(answer.nextCursor, layout),
  );

const brand: Formatter<AnswerOf<typeof getBrandTerritory>> = (answer, layout) =>
  paragraphs(
    layout.paint('bold', `ZIP codes of ${answer.brandName}`),
    formatTable(
      layout,
      answer.zips,
      {
        ZIP: 'zip',
        Place: formatPlace,
        Status: 'status',
        'Since?': ({ changedAt }) => changedAt.slice(0, 10),
        Note: ({ sharedWithNames, isolated, hasBoundary, review }) =>
          [
            isolated ? 'isolated' : '',
            hasBoundary ? '' : 'no boundary',
            sharedWithNames.length > 0 ? `shared with ${sharedWithNames.join(', ')}` : '',
            review?.status === 'rejected' ? `rejected: ${review.reason}` : '',
          ]
            .filter(Boolean)
            .join('; '),
      },
      '  No ZIP codes match.',
    ),
    formatNextPage(answer.nextCursor, layout),
  );

/** Counts, to compare brands. The tool's own text tells of markets, shape, overlaps, and balance. */
const health: Formatter<AnswerOf<typeof getBrandHealth>> = ({ brands: all }, layout, text) =>
  paragraphs(
    layout.paint('bold', 'Brand health'),
    formatTable(
      layout,
      all,
      {
        Brand: 'brandName',
        Live: 'live',
        Pending: 'pending',
        Shared: 'shared',
        Isolated: 'isolated',
        Households: 'households',
        'Avg. score': ({ averageScore }) =>
          averageScore === null ? undefined : formatTenths(averageScore),
        'Opportunity?': ({ opportunity }) => opportunity ?? undefined,
      },
      '  This key has access to no brands.',
    ),
    text,
  );

const pending: Formatter<AnswerOf<typeof listPendingReview>> = (answer, layout) =>
  paragraphs(
    layout.paint('bold', 'Reviews') +
      layout.paint('dim', `  (${formatCount(answer.totalPending)} pending in total)`),
    formatEntries(
      layout,
      'ZIP codes',
      answer.reviews.map((review) => {
        const { status, note, requestedBy, requestedAt, decidedBy, reason } = review;
        const request = `requested by ${requestedBy} on ${requestedAt.slice(0, 10)}${note ? `: ${note}` : ''}`;
        const decided = `${request}; ${status} by ${decidedBy}${reason ? `: ${reason}` : ''}`;
        const open = reason ? `${request}. ${reason}` : request;
        return {
          mark: review.zip,
          name: `${formatPlace(review)}  for ${review.brandName}`,
          note: decidedBy === null ? open : decided,
        };
      }),
    ) || '  No reviews match.',
    formatNextPage(answer.nextCursor, layout),
  );

const activity: Formatter<AnswerOf<typeof getActivity>> = (answer, layout) =>
  paragraphs(
    layout.paint('bold', 'Activity') + layout.paint('dim', '  (times are UTC)'),
    formatEntries(
      layout,
      'Latest first',
      answer.entries.map(({ at, by, summary, removalId, undoable }) => ({
        mark: minuteOf(at),
        name: by,
        note: undoable
          ? `${summary.replace(/\.?$/, '.')} A person can undo removal ${removalId}.`
          : summary,
      })),
    ) || '  No changes. --organization includes the changes of everyone.',
    formatTable(layout, answer.totals ?? [], {
      Total: ({ brandName }) => brandName ?? 'Organization',
      Action: 'action',
      Changes: 'changes',
      'ZIP codes': 'zips',
    }),
    formatNextPage(answer.nextCursor, layout),
  );

const shares: Formatter<AnswerOf<typeof listShareLinks>> = ({ links, nextCursor }, layout) =>
  paragraphs(
    layout.paint('bold', 'Share links'),
    formatEntries(
      layout,
      'Latest first',
      links.map(({ code, brandName, kind, title, status, expiresAt, shareUrl }) => ({
        mark: code,
        name:
          `${brandName}: ${kind}${title === null ? '' : ` “${title}”`}, ${status}` +
          (status === 'active' ? ` until ${expiresAt.slice(0, 10)}` : ''),
        note: shareUrl,
      })),
    ) || '  No share links match.',
    formatNextPage(nextCursor, layout),
  );

export const brandFormats: Formats = {
  getAgentCapabilities: capabilities,
  service_list_brands: brands,
  service_get_brand_territory: brand,
  service_get_brand_health: health,
  service_list_pending_review: pending,
  service_get_activity: activity,
  service_list_share_links: shares,
};
