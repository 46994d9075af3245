/** Commands for plans: named drafts of territories. */
import { Option } from 'commander';
import { jsonCall, plainCall, type Command, type Task } from '../../command.ts';
import { path } from '../../call.ts';
import { readMarket, readZips } from '../../market.ts';
import { EXIT, Failure } from '../../failure.ts';
import { parseNumber, verticalOption } from '../../options.ts';
import { pictureCall, pictureFlags, refusePictureFlags } from './picture.ts';
import { versionOf } from './versions.ts';
import { formatApplication, formatComparison, formatPlan, formatPlans } from './format.ts';

const JSON_TYPE = 'application/json';

const withKey = (task: Task): Task => ({ ...task, needsKey: true });

export const plans: Command = {
  usage: 'plans [plan]',
  summary: 'list plans, or show one with its territories',
  options: pictureFlags('draw the territories of the plan'),
  examples: ['plans', 'plans "Dallas 2027"', 'plans "Dallas 2027" --picture -o plan.png'],
  call: ([plan], options) => {
    if (plan !== undefined && options['picture']) return withKey(pictureCall(plan, options));
    refusePictureFlags(options, plan === undefined ? 'Name the plan to draw.' : undefined);
    return withKey(
      plan === undefined
        ? jsonCall('/agent/plans', formatPlans, { limit: '200' })
        : jsonCall(path`/agent/plans/${plan}`, formatPlan),
    );
  },
};

export const planCreate: Command = {
  usage: 'plan-create <name> [market...]',
  summary: 'start a plan for a metro or ZIP codes, or copy one',
  options: [
    new Option('--state <state>', 'the market is a state'),
    new Option('--copy-of <plan>', 'start as a copy of a plan'),
    new Option('--live', 'start with the ZIP codes that your brands hold'),
    new Option(
      '--balance <measure>',
      'households, ownerOccupiedHouseholds, population, or opportunity (default: households)',
    ),
    verticalOption('vertical of scores and opportunity (default: roofing)'),
  ],
  examples: [
    'plan-create "Texas North" dallas-tx --live',
    'plan-create Ohio --state OH --balance opportunity --vertical hvac',
    'plan-create "Dallas, second draft" --copy-of "Dallas 2027"',
  ],
  call: async ([name, ...words], options, readArgument) => {
    const { state, copyOf, live, balance, vertical } = options;
    const market = words.length > 0 ? await readMarket(words, readArgument) : {};
    const start = live ? 'live' : undefined;
    const body = { name, ...market, state, copyOf, start, balance, vertical };
    return withKey(plainCall({ path: '/agent/plans', body, type: JSON_TYPE }, formatPlan));
  },
};

export const planMove: Command = {
  usage: 'plan-move <plan> <zips...>',
  summary: 'move ZIP codes to a territory of a plan',
  options: [
    new Option('--to <number>', 'number of the territory; a new one is added')
      .argParser(parseNumber)
      .makeOptionMandatory(),
    new Option('--name <name>', 'name of the territory'),
    new Option('--brand <brand>', 'brand that gets these ZIP codes when you apply the plan'),
  ],
  examples: [
    'plan-move "Dallas 2027" 76078 76023 --to 3 --name Northwest',
    'plan-move "Dallas 2027" @zips.txt --to 1',
  ],
  call: async ([plan, ...words], { to, name, brand }, readArgument) => {
    const moves = [{ zips: await readZips(words, readArgument), to: Number(to) }];
    const territories = [{ number: Number(to), name, brand }];
    return withKey(editCall(plan!, { territories, moves }));
  },
};

/** Edits the current version of a plan. */
const editCall = (plan: string, edit: object): Task => ({
  type: JSON_TYPE,
  format: formatPlan,
  async perform(callService) {
    const at = path`/agent/plans/${plan}`;
    const version = versionOf(await callService({ path: at, type: JSON_TYPE }));
    const bytes = await callService({ path: at, body: { version, ...edit }, type: JSON_TYPE });
    return { bytes, type: JSON_TYPE };
  },
});

export const planCompare: Command = {
  usage: 'plan-compare <plan> [other]',
  summary: 'compare a plan with your brands’ territories, or with another plan',
  options: pictureFlags('draw the difference'),
  examples: [
    'plan-compare "Dallas 2027"',
    'plan-compare "Dallas 2027" "Dallas, other" --json',
    'plan-compare "Dallas 2027" --picture -o difference.png',
  ],
  call: ([plan, other], options) => {
    if (options['picture']) return withKey(pictureCall(plan!, options, other ?? 'live'));
    refusePictureFlags(options);
    const at = path`/agent/plans/${plan!}/comparison`;
    return withKey(jsonCall(at, formatComparison, { with: other }));
  },
};

const UNCONFIRMED = 'Nothing was changed. To apply the plan, add --confirm.';

export const planApply: Command = {
  usage: 'plan-apply <plan>',
  summary: 'request and remove ZIP codes to match a plan; a person reviews the additions',
  options: [new Option('--confirm', 'apply the plan; without it, only show a preview')],
  examples: ['plan-apply "Dallas 2027"', 'plan-apply "Dallas 2027" --confirm'],
  call: ([plan], { confirm }) => ({
    type: JSON_TYPE,
    needsKey: true,
    format: formatApplication,
    async perform(callService) {
      const at = path`/agent/plans/${plan!}`;
      const version = versionOf(await callService({ path: at, type: JSON_TYPE }));
      const body = { version, ...(confirm && { confirm: true }) };
      const bytes = await callService({ path: `${at}/apply`, body, type: JSON_TYPE });
      const failure = confirm ? undefined : new Failure(EXIT.unconfirmed, UNCONFIRMED);
      return { bytes, type: JSON_TYPE, ...(failure && { failure }) };
    },
  }),
};

export const planDelete: Command = {
  usage: 'plan-delete <plan>',
  summary: 'delete a plan for everyone in the organization',
  options: [new Option('--confirm', 'delete it; this can’t be undone')],
  examples: ['plan-delete "Dallas, other" --confirm', 'plan-delete "Dallas 2027"'],
  call: ([plan], { confirm }) => {
    if (!confirm) {
      throw new Failure(
        EXIT.unconfirmed,
        `Nothing was changed. Deleting "${plan}" can’t be undone. To delete it, add --confirm.`,
      );
    }
    const at = path`/agent/plans/${plan!}/delete`;
    const format = async () => `Deleted the plan "${plan}". Changes that it made stay.`;
    return withKey(plainCall({ path: at, body: {}, type: JSON_TYPE }, format));
  },
};
