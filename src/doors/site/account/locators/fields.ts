/** The fields of a locator, in the form that creates one and in the form that changes one. */
import { checkedEmail, checkedName } from '../../../../people/account/names.ts';
import { VERTICALS } from '../../../../data/scoring/verticals.ts';
import { badRequest } from '../../../../errors.ts';
import type { Brand } from '../../../../territories/brands/brands.ts';
import { checkedAccent, MIN_ACCENT_CONTRAST } from '../../../../territories/brands/branding.ts';
import type { GroupName } from '../../../../territories/brands/groups/rules.ts';
import {
  checkedWord,
  defaultWords,
  LANGUAGES,
  WORD_LENGTHS,
  WORD_NAMES,
  type Language,
  type Word,
} from '../../../../territories/serving/locator-words.ts';
import type { Locator, LocatorFields } from '../../../../territories/serving/locators.ts';
import type { FormState } from '../../form-state.ts';
import { choices, selectField } from '../../forms.ts';
import { brandChoices, formOf, menu, text } from '../../framework/fields.ts';
import { html } from '../../html.ts';

export interface LocatorChoices {
  brands: readonly Brand[];
  groups: readonly GroupName[];
  /** Whether visitors may also enter an address */
  geocodes: boolean;
}

/** All brands, the id of a group, or chosen brands */
interface Answering {
  group: string | null;
  brands: readonly string[] | null;
}

const GROUP = 'group:';

/** A menu of all brands and the groups, and the brands to choose from */
const answering = {
  name: 'of',
  html: (state: FormState, { brands, groups }: LocatorChoices) =>
    html`${selectField(
      { name: 'of', label: 'Answers for' },
      [
        { value: 'all', label: 'All brands, also later ones' },
        ...groups.map(({ id, name }) => ({ value: GROUP + id, label: `The group ${name}` })),
        { value: 'some', label: 'Only the brands that are chosen below' },
      ],
      state,
    )}
    ${brands.length > 0 && choices({ type: 'checkbox', name: 'brands', legend: 'Brands, if only some' }, brandChoices({ brands }), state)}`,
  read(sent: URLSearchParams): Answering {
    const of = sent.get('of') ?? 'all';
    if (of.startsWith(GROUP)) return { group: of.slice(GROUP.length), brands: null };
    if (of !== 'some') return { group: null, brands: null };
    const brands = sent.getAll('brands');
    if (brands.length > 0) return { group: null, brands };
    throw badRequest('Choose at least one brand below, or all brands.');
  },
  entries({ group, brands }: Answering): [string, string][] {
    if (group !== null) return [['of', GROUP + group]];
    if (brands === null) return [['of', 'all']];
    return [['of', 'some'], ...brands.map((id): [string, string] => ['brands', id])];
  },
};

const WORD_LABELS: Readonly<Record<Word, string>> = {
  heading: 'Heading',
  label: 'Above the field',
  button: 'Button',
  nobody: 'Answer where no brand serves',
};

const IN: Readonly<Record<Language, string>> = { en: 'in English', es: 'in Spanish' };

const wordField = (language: Language, word: Word) =>
  text(
    {
      name: `${word}-${language}`,
      label: `${WORD_LABELS[word]}, ${IN[language]}`,
      hint: `Default: ${defaultWords(language, false)[word]}`,
      maxlength: WORD_LENGTHS[word],
      optional: true,
    },
    (given) => checkedWord(word, given),
  );

type WordKey = `${Word}-${Language}`;

/** In pairs of languages */
const WORD_KEYS = WORD_NAMES.flatMap((word) =>
  LANGUAGES.map((language) => ({ language, word, key: `${word}-${language}` as WordKey })),
);

const WORD_FIELDS = Object.fromEntries(
  WORD_KEYS.map(({ language, word, key }) => [key, wordField(language, word)]),
) as Record<WordKey, ReturnType<typeof wordField>>;

const orNull = (value: string | null) => value ?? '';

const FIRST_FIELDS = {
  title: text(
    { name: 'title', label: 'Name', hint: 'Only your organization sees it.', maxlength: 120 },
    (title) => checkedName('A locator', title),
  ),
  answering,
  accent: text(
    {
      name: 'accent',
      label: 'Color',
      hint: `Such as #1d6f74; empty for ours. Needs a contrast of ${MIN_ACCENT_CONTRAST}:1 with white.`,
      maxlength: 7,
      optional: true,
    },
    (color) => checkedAccent(color),
    orNull,
  ),
};

/** What a new locator needs. The rest has defaults. */
export const NEW_LOCATOR = formOf(FIRST_FIELDS);

export const LOCATOR = formOf({
  ...FIRST_FIELDS,
  ...WORD_FIELDS,
  candidateEmail: text(
    {
      name: 'candidates',
      label: 'Email address for candidates',
      hint: 'Optional. With it, people who want to buy a franchise can ask whether an area is available, and write to this address.',
      type: 'email',
      maxlength: 254,
      optional: true,
    },
    (email) => (email.trim() === '' ? null : checkedEmail(email)),
    orNull,
  ),
  vertical: menu(
    {
      name: 'vertical',
      label: 'Demand for candidates',
      hint: 'They see low, medium, or high demand of this vertical in an available area, never a score.',
    },
    [
      { value: '' as const, label: 'Hidden' },
      ...VERTICALS.map(({ slug, label }) => ({ value: slug, label })),
    ],
  ),
});

type LocatorValues = ReturnType<typeof LOCATOR.read>;

/** The fields that the form's values set */
export function fieldsOf(values: LocatorValues): LocatorFields & { title: string } {
  const { title, answering: of, accent, candidateEmail, vertical } = values;
  const words = Object.fromEntries(
    LANGUAGES.map((language) => [
      language,
      Object.fromEntries(WORD_NAMES.map((word) => [word, values[`${word}-${language}`]])),
    ]),
  );
  return { title, ...of, accent, words, candidateEmail, vertical: vertical || null };
}

/** The values to edit */
export function editedLocator(locator: Locator): LocatorValues {
  const { title, allBrands, group, brands, accent, words, candidateEmail, vertical } = locator;
  return {
    title,
    answering: {
      group: group?.id ?? null,
      brands: group || allBrands ? null : brands.map(({ id }) => id),
    },
    accent,
    candidateEmail,
    vertical: vertical ?? '',
    ...(Object.fromEntries(
      WORD_KEYS.map(({ language, word, key }) => [key, words[language]?.[word] ?? '']),
    ) as Record<WordKey, string>),
  };
}
