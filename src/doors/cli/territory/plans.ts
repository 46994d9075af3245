/** Commands for plans: named drafts of territories. */
import { Option } from 'commander';
import type { z } from 'zod';
import { formatCount, joinFirst, pluralize } from '../../../base/text/words.ts';
import { isBuiltIn, labelOf } from '../../../territories/brands/measures.ts';
import type { PlanApplicationBody } from '../../http/plans/application-schema.ts';
import type { PlanComparisonBody } from '../../http/plans/comparison-schema.ts';
import type { PlanBody, PlanListBody } from '../../http/plans/schema.ts';
import type { PlanShareListBody } from '../../http/plans/share-schema.ts';
import type { SolutionBody } from '../../http/plans/solve-schema.ts';
import { minuteOf } from '../names.ts';
import { formatEntries, formatTable, paragraphs, wrapLines } from '../table.ts';
import type {
  Answer,
  Command,
  Formats,
  Formatter,
  Given,
  Input,
  ReadArgument,
  Steps,
} from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { readZips, textOf } from './input.ts';
import { parseJson } from './json.ts';
import { formatNextPage } from './markets.ts';

const PICTURE = new Option('--picture', 'draw it, as PNG');

const FORMATS = {
  csv: 'getPlanCsv',
  xlsx: 'getPlanWorkbook',
  geojson: 'getPlanBoundaries',
  kml: 'getPlanKml',
  shp: 'getPlanShapefile',
} as const;

export const planCommands: readonly Command[] = [
  { usage: 'plans list', calls: ['listPlans'], examples: ['plans list'] },
  {
    usage: 'plans show',
    summary: 'show a plan with its territories',
    calls: ['getPlan', 'getPlanPicture'],
    hides: ['with'],
    more: [PICTURE],
    choose: ({ picture }) => picture && 'getPlanPicture',
    examples: ['plans show "Dallas 2027"', 'plans show "Dallas 2027" --picture -o plan.png'],
  },
  {
    usage: 'plans compare <plan> [other]',
    summary: 'compare a plan with your brands’ territories, or with another plan',
    calls: ['comparePlan', 'getPlanPicture'],
    names: { with: 'other' },
    more: [PICTURE],
    choose: ({ picture }) => picture && 'getPlanPicture',
    input: ({ picture, with: other }) => (picture ? { with: other ?? 'live' } : {}),
    examples: [
      'plans compare "Dallas 2027"',
      'plans compare "Dallas 2027" --picture -o difference.png',
    ],
  },
  { usage: 'plans shares', calls: ['listPlanShares'], examples: ['plans shares "Dallas 2027"'] },
  {
    usage: 'plans measures',
    calls: ['listPlanMeasures'],
    examples: ['plans measures "Dallas 2027"'],
  },
  {
    usage: 'plans export <plan>',
    summary: 'export a plan, without figures: Excel, CSV, GeoJSON, KML, or shapefile',
    calls: Object.values(FORMATS),
    more: [
      new Option('--format <format>', 'xlsx, csv, geojson, kml, or shp (zipped)')
        .choices(Object.keys(FORMATS))
        .default('csv'),
    ],
    choose: ({ format }) => FORMATS[format as keyof typeof FORMATS],
    examples: [
      'plans export "Dallas 2027" -o plan.csv',
      'plans export "Dallas 2027" --format kml -o plan.kml',
    ],
  },
  {
    usage: 'plans create <name> [market...]',
    summary: 'start a plan for a metro or ZIP codes, or copy one',
    calls: ['createPlan'],
    hides: ['start'],
    more: [new Option('--live', 'start with the ZIP codes that your brands hold')],
    input: ({ live }) => ({ start: live && 'live' }),
    examples: [
      'plans create "Texas North" dallas-tx --live',
      'plans create Ohio --state OH --balance opportunity --vertical hvac',
      'plans create "Dallas, second draft" --copy-of "Dallas 2027"',
    ],
  },
  {
    usage: 'plans move <plan> <zips...>',
    summary: 'move ZIP codes to a territory of a plan',
    calls: ['editPlan'],
    hides: ['deletions', 'name', 'balance', 'vertical'],
    more: [
      new Option(
        '--to <number>',
        'number of the territory; a new one is added',
      ).makeOptionMandatory(),
      new Option('--name <name>', 'name of the territory'),
      new Option('--brand <brand>', 'brand that gets these ZIP codes when you apply the plan'),
    ],
    async perform({ call, readArgument }, { plan, zips, name, brand, totals, ...given }) {
      const to = Number(given['to']);
      const moves = [{ zips: await readZips(zips, readArgument), to }];
      return call('editPlan', { plan, totals, territories: [{ number: to, name, brand }], moves });
    },
    examples: [
      'plans move "Dallas 2027" 76078 76023 --to 3 --name Northwest',
      'plans move "Dallas 2027" @zips.txt --to 1',
    ],
  },
  {
    usage: 'plans measure <plan> [file]',
    summary: 'add one of your data sets to a plan, or upload one from a file',
    calls: ['uploadPlanMeasure'],
    names: { dataSet: 'data' },
    hides: ['csv', 'file'],
    texts: {
      data: 'a data set that was uploaded before, instead of a file',
      sheet: 'sheet of a workbook (default: the first with a table)',
    },
    more: [new Option('--balance', 'balance the plan’s territories by it')],
    async perform(steps, { plan, file, balance, options: _, ...given }) {
      if ((file === undefined) === (given['dataSet'] === undefined)) {
        throw new Failure(EXIT.usage, 'Give either a file or --data with one of your data sets.');
      }
      const content = file && (await readAmounts(file, steps.readArgument));
      const measure = { ...given, plan, ...content };
      return balance
        ? (await balanceByFile(steps, measure)).uploaded
        : steps.call('uploadPlanMeasure', measure);
    },
    examples: [
      'plans measure "Dallas 2027" jobs.csv --name Jobs --balance',
      'plans measure "Dallas 2027" --data jobs-2025',
      'plans measure "Dallas 2027" crm.xlsx --column "Open leads" --replace',
    ],
  },
  {
    usage: 'plans share',
    summary: 'create a public, expiring link to a plan; 5 units',
    calls: ['sharePlan'],
    examples: ['plans share "Dallas 2027"', 'plans share "Dallas 2027" --days 14'],
  },
  {
    usage: 'plans unshare',
    calls: ['revokePlanShare'],
    names: { share: 'link' },
    confirm: 'The link {share} would be revoked for everyone, permanently.',
    examples: ['plans unshare "Dallas 2027" 4f7k2m9x0q'],
  },
  {
    usage: 'plans apply',
    summary: 'request and remove ZIP codes to match a plan, as one change',
    calls: ['applyPlan'],
    texts: { on: 'the day on which it goes live, such as 2027-01-01' },
    examples: ['plans apply "Dallas 2027" --on 2099-01-01', 'plans apply "Dallas 2027" --confirm'],
  },
  {
    usage: 'plans delete',
    summary: 'delete a plan for everyone in the organization',
    calls: ['deletePlan'],
    confirm: 'Deleting "{plan}" can’t be undone.',
    done: 'Deleted the plan "{plan}". Changes that it made stay.',
    examples: ['plans delete "Dallas, other" --confirm', 'plans delete "Dallas 2027"'],
  },
  {
    usage: 'plans measure-delete',
    summary: 'remove a data set from a plan; the data set stays',
    calls: ['deletePlanMeasure'],
    names: { measure: 'data' },
    confirm: '"{measure}" would be removed from "{plan}".',
    done: 'Removed "{measure}" from the plan "{plan}".',
    examples: [
      'plans measure-delete "Dallas 2027" Jobs --confirm',
      'plans measure-delete "Dallas 2027" "Open leads"',
    ],
  },
  {
    usage: 'design [market...]',
    summary: 'divide a market into even, compact territories, as a plan',
    calls: ['solvePlan', 'createPlan', 'getPlanPicture', 'getPlanBoundaries'],
    names: {
      count: 'k',
      minimum: 'min',
      maximum: 'max',
      seeds: 'home',
      seedPlaces: 'home-place',
      excludeZips: 'exclude',
    },
    // Of other tasks, and of a plan that exists
    hides: 'plan task territory target keep save with zips copyOf start totals'.split(' '),
    texts: {
      k: 'number of territories',
      state: 'the market is a state',
      min: 'smallest amount per territory, instead of --k',
      max: 'largest amount per territory, instead of --k',
      home: 'home ZIP code of a territory',
      'home-place': 'id or name of a place whose ZIP code is the home of a territory',
      'max-miles': 'largest distance from the home; needs --home for each territory',
      'max-minutes': 'longest drive from the home, instead of --max-miles',
      balance:
        'households, ownerOccupiedHouseholds, population, opportunity, or a file with amounts by ZIP code (default: households)',
      name: 'name of the plan (default: the market and the number)',
    },
    more: [new Option('--metro <metro>', 'the market is a launched metro'), PICTURE],
    choose: (given) =>
      given['picture'] ? 'getPlanPicture' : isGeoJson(given) && 'getPlanBoundaries',
    perform: design,
    examples: [
      'design dallas-tx --k 8',
      'design --metro dallas-tx --k 8 --balance opportunity --name "Dallas by demand" -o plan.geojson',
      'design dallas-tx --k 4 --balance jobs.csv --name "Dallas by jobs"',
    ],
  },
];

const isGeoJson = ({ options: { output, json } }: Given) =>
  /\.(geo)?json$/.test(output ?? '') && !json;

/** Creates a plan and divides its market with the solver. */
async function design(steps: Steps, given: Given): Promise<Answer> {
  const { options: _, picture, size, ratio, style, basemap, ...rest } = given;
  const { name: chosen, metro, state, zips, balance, vertical, ...solve } = rest;
  const look = { size, ratio, style, basemap };
  const [misplaced] = Object.entries(look).find(([, value]) => value !== undefined) ?? [];
  if (misplaced && !picture) {
    throw new Failure(
      EXIT.usage,
      `--${misplaced} has no effect without --picture. Add it, or leave out --${misplaced}.`,
    );
  }
  const { count, minimum, maximum } = solve;
  const amount = count ?? [minimum, maximum].filter(Boolean).join('-');
  const name = chosen ?? `${metro ?? state ?? zips?.[0]} ${amount}`;
  // Any other name is a built-in measure or a data set.
  const isFile =
    /\.(csv|tsv|txt|xlsx|(geo)?json|kml|kmz|zip)$/i.test(balance ?? '') || balance === '-';
  const file = isFile ? await readAmounts(balance, steps.readArgument) : undefined;
  const start = { name, metro, state, zips, vertical, balance: isFile ? undefined : balance };
  const created = parseJson((await steps.call('createPlan', start)).bytes);
  const { id: plan, version: first } = (created ?? {}) as { id?: string; version?: number };
  if (!plan) throw new Failure(EXIT.other, 'Could not read the new plan.');
  try {
    const { version } = file
      ? await balanceByFile(steps, { plan, ...file, replace: true })
      : { version: first };
    const solved = await steps.call('solvePlan', { ...solve, plan, version, task: 'divide' });
    if (!picture && !isGeoJson(given)) return solved;
  } catch (error) {
    // A plan without territories would only be in the way.
    await steps.call('deletePlan', { plan });
    throw error;
  }
  return picture
    ? steps.call('getPlanPicture', { plan, ...look })
    : steps.call('getPlanBoundaries', { plan });
}

/** Reads a file, or standard input for `-`, for the request that uploads it. */
async function readAmounts(file: string, readArgument: ReadArgument): Promise<Input> {
  const bytes = await readArgument(file === '-' || file.startsWith('@') ? file : `@${file}`);
  const isArchive = bytes.toString('latin1', 0, 2) === 'PK';
  return isArchive ? { file: bytes.toString('base64') } : { csv: await textOf(bytes) };
}

/** Adds a data set, and balances the plan by it. @returns the plan's new version */
async function balanceByFile({ call }: Steps, measure: Input) {
  const uploaded = await call('uploadPlanMeasure', measure);
  const { name } = JSON.parse(uploaded.bytes.toString()) as { name: string };
  const edited = await call('editPlan', { plan: measure['plan'], balance: name });
  const { version } = JSON.parse(edited.bytes.toString()) as { version: number };
  return { version, uploaded };
}

const by = ({ at, name }: { at: string; name: string }) => `${minuteOf(at)} by ${name}`;

const list: Formatter<z.output<typeof PlanListBody>> = ({ plans, nextCursor }, layout) =>
  paragraphs(
    layout.paint('bold', 'Plans'),
    formatTable(
      layout,
      plans,
      {
        Name: 'name',
        Territories: 'territoryCount',
        'ZIP codes': 'zipCount',
        Version: 'version',
        'Changed (UTC)?': ({ changedAt, changedBy }) => by({ at: changedAt, name: changedBy }),
        'Market?': 'market',
      },
      '  No plans yet. Create one with: territory plans create',
    ),
    formatNextPage(nextCursor, layout),
  );

type Plan = z.output<typeof PlanBody>;
type Totals = Plan['territories'][number]['totals'];

const show: Formatter<Plan> = ({ territories, unassigned, balance, withheld, ...plan }, layout) => {
  const amountIn = (totals: Totals) =>
    isBuiltIn(balance) ? totals?.[balance] : totals?.measures[balance];
  return paragraphs(
    layout.paint('bold', `${plan.name}: ${plan.market}`),
    formatTable(
      layout,
      territories,
      {
        'No.': 'number',
        Territory: 'name',
        'ZIP codes': ({ zips }) => zips.length,
        [labelOf(balance)]: ({ totals }) => amountIn(totals) ?? null,
        'From mean': ({ deviationPct: pct }) =>
          pct === null ? null : `${pct > 0 ? '+' : ''}${pct.toFixed(1)}%`,
        Areas: 'pieces',
        'Brand?': ({ brandName }) => brandName ?? '',
        'Compact?': ({ compactness }) => compactness?.toFixed(2) ?? null,
      },
      '  No territories yet. Add ZIP codes with: territory plans move',
    ),
    wrapLines(
      [
        `${pluralize(unassigned.length, 'unassigned ZIP code')}. Version ${plan.version}, by ${plan.changedBy}.`,
        withheld ?? '',
      ]
        .filter(Boolean)
        .join('\n'),
      layout,
    ),
  );
};

const solution: Formatter<z.output<typeof SolutionBody>> = (answer, layout) =>
  paragraphs(
    show(answer.plan, layout, ''),
    wrapLines(
      [
        `${answer.summary} Borders: ${formatCount(Math.round(answer.borderMiles))} miles.`,
        ...answer.bridges.map(
          ({ from, to, miles }) =>
            `Connected over a gap: ${from} and ${to}, ${miles.toFixed(1)} miles.`,
        ),
      ].join('\n'),
      layout,
    ),
  );

type Comparison = z.output<typeof PlanComparisonBody>;

const change = (before: number, after: number) =>
  before === after ? formatCount(after) : `${formatCount(before)} → ${formatCount(after)}`;

const comparison: Formatter<Comparison> = (answer, layout) => {
  const { before, after, territories, moved, withheld } = answer;
  const measures = territories.flatMap(({ totalsBefore, totalsAfter }) =>
    Object.keys((totalsAfter ?? totalsBefore)?.measures ?? {}),
  );
  const verb = moved.length === 1 ? 'changes' : 'change';
  return paragraphs(
    layout.paint(
      'bold',
      `${after}, compared with ${before === 'live' ? 'the live territories' : before}`,
    ),
    formatTable(layout, territories, {
      Before: (pair) => pair.before ?? '(new)',
      After: (pair) => pair.after ?? '(removed)',
      'ZIP codes': (pair) => change(pair.zipsBefore, pair.zipsAfter),
      Gains: ({ gained }) => gained.length,
      Loses: ({ lost }) => lost.length,
      'Households?': ({ totalsBefore, totalsAfter }) =>
        withheld === null
          ? change(totalsBefore?.households ?? 0, totalsAfter?.households ?? 0)
          : null,
      ...Object.fromEntries(
        [...new Set(measures)].map((name) => [
          `${name}?`,
          ({ totalsBefore, totalsAfter }: Comparison['territories'][number]) =>
            change(totalsBefore?.measures[name] ?? 0, totalsAfter?.measures[name] ?? 0),
        ]),
      ),
    }),
    wrapLines(
      moved.length === 0
        ? 'No ZIP code changes territories.'
        : `${pluralize(moved.length, 'ZIP code')} ${verb} territories: ${joinFirst(moved.map(({ zip }) => zip))}.`,
      layout,
    ),
    wrapLines(withheld ?? '', layout),
  );
};

const application: Formatter<z.output<typeof PlanApplicationBody>> = (
  { status, next, changes, withoutBrand, untouched, inOtherChanges },
  layout,
) =>
  paragraphs(
    layout.paint('bold', status === 'preview' ? 'Preview' : 'Applied'),
    formatTable(layout, changes, {
      Brand: 'brandName',
      Added: ({ additions }) => additions.length,
      Removed: ({ removals }) => removals.length,
      Unchanged: 'kept',
      'Live meanwhile': 'liveMeanwhile',
      'Territory?': 'territory',
    }),
    formatEntries(
      layout,
      'Not live',
      withoutBrand.map(({ name, zips }) => ({
        mark: formatCount(zips.length),
        name,
        note: 'This territory has no brand.',
      })),
    ),
    formatEntries(
      layout,
      'Not in the plan',
      untouched.map(({ brandName, zipCount }) => ({
        mark: formatCount(zipCount),
        name: brandName,
        note: 'This brand keeps its ZIP codes.',
      })),
    ),
    wrapLines(
      inOtherChanges.length === 0
        ? ''
        : `Part of another change that waits, and left as they are: ${joinFirst(inOtherChanges)}.`,
      layout,
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
    status === 'preview' ? '' : wrapLines(next, layout),
  );

const shares: Formatter<z.output<typeof PlanShareListBody>> = (answer, layout) =>
  formatTable(
    layout,
    answer.shares,
    {
      Link: 'code',
      Status: ({ status, expiresAt }) =>
        status === 'active' ? `open until ${expiresAt.slice(0, 10)}` : status,
      'Created by': 'createdBy',
    },
    'No links to this plan yet. Create one with: territory plans share',
  );

export const planFormats: Formats = {
  listPlans: list,
  getPlan: show,
  createPlan: show,
  editPlan: show,
  solvePlan: solution,
  comparePlan: comparison,
  applyPlan: application,
  listPlanShares: shares,
};
