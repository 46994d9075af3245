/** Frequent jobs as prompts, which clients offer to people by name. */
import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import type { Caller } from '../../people/account/caller.ts';
import { metroBySlug } from '../../data/market/metros.ts';
import { verticalBySlug } from '../../data/scoring/verticals.ts';
import { findBrand } from '../../territories/brands/brands.ts';
import { invalidParams } from './params.ts';
import { metro as metroField, vertical as verticalField } from '../tools/support/fields.ts';
import { readWholeNumber } from '../../base/text/whole-number.ts';

const BRAND = { name: 'brand', description: 'Slug, name, or id of a brand' };
const VERTICAL = { name: 'vertical', description: 'Such as roofing or hvac', required: true };

type Arguments = Readonly<Record<string, string | undefined>>;

interface Job extends Prompt {
  arguments: { name: string; description: string; required?: boolean }[];
  /** Returns the text of the prompt with its arguments. @throws ServiceError 404 for an unknown name */
  ask(values: Arguments, caller: Caller): Promise<string>;
}

const JOBS: readonly Job[] = [
  {
    name: 'plan-territory',
    title: 'Plan a territory',
    description: 'Find the best connected ZIP codes of a metro and request them for a brand',
    arguments: [
      VERTICAL,
      { name: 'metro', description: 'Launched metro, such as dallas-tx', required: true },
      { ...BRAND, description: 'Brand to request them for. Default: only a plan' },
      { name: 'size', description: 'Number of ZIP codes. Default: 15' },
    ],
    async ask({ metro, size = '15', ...values }, caller) {
      const brand = values.brand === undefined ? undefined : await nameOf(values.brand, caller);
      const { slug, fullName } = metroBySlug(metroField.parse(metro));
      return [
        `Plan a ${labelOf(values)} territory of ${sizeOf(size)} ZIP codes in ${fullName} (${slug}).`,
        'Use service_score_territory once, with contiguous and excludeHeld, for the best connected ZIP codes ' +
          'that we don’t hold yet.',
        'Show them as a table with place, score, households, and the reason for each. Then name the weaknesses of the plan.',
        ...(brand === undefined
          ? ['Don’t change anything.']
          : [
              `Then preview service_apply_territory for ${brand} and show me the preview. Only send confirm: true ` +
                'after I agree. A person reviews the request.',
            ]),
      ].join('\n');
    },
  },
  {
    name: 'review-footprint',
    title: 'Review a territory',
    description: 'Check what a brand holds: health, overlaps, and what to keep, cut, and add',
    arguments: [{ ...BRAND, required: true }, VERTICAL],
    async ask(values, caller) {
      return [
        `Review the territory of ${await nameOf(values.brand!, caller)} for ${labelOf(values)}.`,
        'Use service_get_brand_health for its pieces, holes, gaps, isolated and shared ZIP codes, and ' +
          'service_compare_brand_to_scores for what to keep, cut, and add.',
        'Start with the three findings that matter most. Then list the changes that you propose, each with its ' +
          'reason and effect. Don’t change anything.',
      ].join('\n');
    },
  },
  {
    name: 'explain-score',
    title: 'Explain a score',
    description: 'Say why a ZIP code has its score and what would change it most',
    arguments: [
      { name: 'zip', description: 'Five digits, such as 75201', required: true },
      VERTICAL,
    ],
    async ask({ zip, ...values }) {
      if (!/^\d{5}$/.test(zip!)) throw invalidParams(`zip must be five digits, such as 75201.`);
      return [
        `Explain the ${labelOf(values)} score of ZIP code ${zip}.`,
        'Use service_get_zip_profile with the vertical. Name the signals that raise and lower the score most, with ' +
          'their values and national percentiles, and what would change the score most.',
        'Mention figures that are missing or unreliable. Two short paragraphs.',
      ].join('\n');
    },
  },
];

export const PROMPTS: readonly Prompt[] = JOBS.map(({ ask: _, ...prompt }) => prompt);

/** @throws ProtocolError for an unknown prompt or argument; ServiceError 404 for a name that doesn't exist */
export async function getPrompt(
  name: string,
  values: Arguments = {},
  caller: Caller,
): Promise<GetPromptResult> {
  const job = JOBS.find((one) => one.name === name);
  if (!job) {
    const names = JOBS.map((one) => one.name).join(', ');
    throw invalidParams(`There is no prompt "${name.slice(0, 80)}". Use one of: ${names}.`);
  }
  const given = Object.entries(values).filter(([, value]) => value?.trim());
  const known = job.arguments.map((argument) => argument.name);
  const wrong = [
    ...given.filter(([key]) => !known.includes(key)).map(([key]) => `there is no "${key}"`),
    ...job.arguments
      .filter(({ name: key, required }) => required && !given.some(([one]) => one === key))
      .map((argument) => `${argument.name} is missing (${argument.description})`),
  ];
  if (wrong.length > 0) {
    throw invalidParams(`${name}: ${wrong.join('; ')}. Arguments: ${known.join(', ')}.`);
  }
  const text = await job.ask(Object.fromEntries(given), caller);
  return {
    description: job.description,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

async function nameOf(ref: string, { tenant, brandScope }: Caller): Promise<string> {
  const { name, slug } = await findBrand(tenant, brandScope, ref);
  return `${name} (${slug})`;
}

function labelOf({ vertical }: Arguments): string {
  const { data: slug = vertical! } = verticalField.safeParse(vertical);
  const { label } = verticalBySlug(slug);
  return `${label} (${slug})`;
}

function sizeOf(size: string): number {
  const wanted = readWholeNumber(size.trim(), 1, 100);
  if (wanted !== undefined) return wanted;
  throw invalidParams(`size must be a whole number from 1 to 100, not "${size.slice(0, 20)}".`);
}
