/** Commands for locators, which tell customers who serves them. */
import { Option } from 'commander';
import type { z } from 'zod';
import { pluralize } from '../../../base/text/words.ts';
import type { LocatorBody, LocatorListBody, UnservedBody } from '../../http/locators/schema.ts';
import { formatTable, paragraphs } from '../table.ts';
import type { Command, Formats, Formatter, Given } from './command.ts';

const LANGUAGES = { En: 'English', Es: 'Spanish' } as const;
const WORDS = {
  heading: 'the question at the top',
  label: 'words above the field',
  button: 'words on the button',
  nobody: 'answer where no brand serves',
} as const;

const wordKeys = (Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]).flatMap((language) =>
  Object.entries(WORDS).map(([word, text]) => ({ language, word, text })),
);

/** `--heading-es <text>` */
const wordOptions = wordKeys.map(
  ({ language, word, text }) =>
    new Option(
      `--${word}-${language.toLowerCase()} <text>`,
      `${text}, in ${LANGUAGES[language]}; empty for ours`,
    ),
);

/** The words that options give; nothing without any */
function wordsOf(given: Given): { words?: Record<string, Record<string, string>> } {
  const words: Record<string, Record<string, string>> = {};
  for (const { language, word } of wordKeys) {
    const text = given[`${word}${language}`] as string | undefined;
    if (text !== undefined) (words[language.toLowerCase()] ??= {})[word] = text;
  }
  return Object.keys(words).length > 0 ? { words } : {};
}

const FIELDS = {
  names: { brands: 'brand' },
  // Options in each language replace these.
  hides: ['heading', 'label', 'button', 'nobody'],
  more: wordOptions,
  input: wordsOf,
} as const;

const TEXTS = {
  brand: 'answer for this brand (default: all brands)',
  group: 'answer for the brands of a group',
  accent: 'accent color, such as #1d6f74',
  'candidate-email': 'let candidates ask, and send their forms to this address',
  vertical: 'vertical whose demand candidates learn as a class',
};

export const locatorCommands: readonly Command[] = [
  { usage: 'locators list', calls: ['listLocators'], examples: ['locators list'] },
  {
    usage: 'locators create',
    summary: 'create a page and code for websites that tell customers who serves them',
    calls: ['createLocator'],
    ...FIELDS,
    texts: TEXTS,
    examples: [
      'locators create Website',
      'locators create "Lone Star" --brand lone-star-roofing --heading-en "Find your roofer"',
    ],
  },
  {
    usage: 'locators change',
    summary: 'change a locator; websites show it at once',
    calls: ['changeLocator'],
    ...FIELDS,
    texts: { ...TEXTS, title: 'new name', brand: 'replace the brands' },
    edits: true,
    examples: ['locators change 4f7k2m9x0q --candidate-email growth@example.com'],
  },
  {
    usage: 'locators unserved',
    summary: 'list the ZIP codes that customers asked about and that no brand serves',
    calls: ['listUnservedZips'],
    examples: ['locators unserved 4f7k2m9x0q', 'locators unserved 4f7k2m9x0q --limit 10'],
  },
  {
    usage: 'locators revoke',
    calls: ['revokeLocator'],
    confirm: 'Revoking a locator closes it on all websites, permanently.',
    examples: ['locators revoke 4f7k2m9x0q --confirm'],
  },
];

type Locator = z.output<typeof LocatorBody>;

const answersFor = ({ allBrands, group, brands }: Locator) =>
  allBrands ? 'all brands' : (group ?? brands.map(({ brandName }) => brandName).join(', '));

const locator: Formatter<Locator> = (answer, layout) => {
  const { title, code, status, url, embedCode, asked, unserved } = answer;
  const about = `${layout.paint('bold', title)} (${code}) answers for ${answersFor(answer)}.`;
  if (status === 'revoked') return paragraphs(about, 'It is revoked: it’s closed for everyone.');
  return paragraphs(
    about,
    `Asked in 30 days: ${asked}, in ZIP codes that no brand serves: ${unserved}.`,
    `Page:\n  ${url}`,
    `For your website:\n  ${embedCode}`,
  );
};

const list: Formatter<z.output<typeof LocatorListBody>> = ({ locators }, layout) =>
  formatTable(
    layout,
    locators,
    {
      Locator: 'title',
      Code: 'code',
      'Answers for?': answersFor,
      'Asked in\n30 days': 'asked',
      'Nobody\nserves': 'unserved',
      Status: 'status',
    },
    'No locators yet. Create one with: territory locators create',
  );

const unservedList: Formatter<z.output<typeof UnservedBody>> = ({ zips }, layout) =>
  formatTable(
    layout,
    zips,
    {
      'ZIP code': 'zip',
      Place: 'place',
      Asked: ({ times }) => pluralize(times, 'time'),
      Last: 'lastDay',
    },
    'A brand serves each ZIP code that customers asked about.',
  );

export const locatorFormats: Formats = {
  listLocators: list,
  createLocator: locator,
  changeLocator: locator,
  revokeLocator: locator,
  listUnservedZips: unservedList,
};
