/** The words of a locator: an organization's own, or ours, in the languages of its visitors. */
import { badRequest } from '../../errors.ts';

export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The names of languages in themselves */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' };

/** The words that an organization can replace, with the largest lengths */
export const WORD_LENGTHS = { heading: 80, label: 60, button: 30, nobody: 300 } as const;

export type Word = keyof typeof WORD_LENGTHS;

export const WORD_NAMES = Object.keys(WORD_LENGTHS) as Word[];

export type Words = Readonly<Record<Word, string>>;

/** An organization's own words. Missing ones are ours. */
export type OwnWords = { readonly [L in Language]?: { readonly [W in Word]?: string } };

/** @param geocodes whether visitors may also enter an address */
export function defaultWords(language: Language, geocodes: boolean): Words {
  if (language === 'es') {
    return {
      heading: '¿Quién atiende su zona?',
      label: geocodes ? 'Código postal o dirección' : 'Código postal',
      button: 'Buscar',
      nobody: 'Todavía no atendemos esta zona. Vuelva a consultar más adelante.',
    };
  }
  return {
    heading: 'Who serves your area?',
    label: geocodes ? 'ZIP code or address' : 'ZIP code',
    button: 'Find',
    nobody: 'We don’t serve this area yet. Please check again later.',
  };
}

/** Returns the words that visitors read. */
export const wordsIn = (own: OwnWords, language: Language, geocodes: boolean): Words => ({
  ...defaultWords(language, geocodes),
  ...own[language],
});

/** Returns the words without empty ones. @throws ServiceError 400 for a text that is too long or has control characters */
export function checkedWords(given: {
  [L in Language]?: { [W in Word]?: string | null | undefined };
}): OwnWords {
  const entries = LANGUAGES.map((language) => {
    const words = WORD_NAMES.map((word) => [
      word,
      checkedWord(word, given[language]?.[word] ?? ''),
    ]);
    return [language, Object.fromEntries(words.filter(([, text]) => text !== ''))] as const;
  });
  return Object.fromEntries(entries.filter(([, words]) => Object.keys(words).length > 0));
}

/** @throws ServiceError 400 */
export function checkedWord(word: Word, text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  const most = WORD_LENGTHS[word];
  if (line.length <= most && !/[\p{Cc}\p{Cs}]/u.test(line)) return line;
  throw badRequest(`Enter at most ${most} characters, without control characters.`);
}

/**
 * Returns the language that a visitor asked for, or else prefers.
 * @param chosen from the address. @param accepted an `Accept-Language` header (RFC 9110, 12.5.4)
 */
export function languageOf(chosen: string | undefined, accepted = ''): Language {
  const known = (tag: string) =>
    LANGUAGES.find((one) => one === tag.trim().slice(0, 2).toLowerCase());
  const asked = chosen === undefined ? undefined : known(chosen);
  if (asked) return asked;
  const preferred = accepted
    .split(',')
    .map((entry) => {
      const [tag, ...parameters] = entry.split(';');
      const quality = parameters
        .find((one) => one.trim().startsWith('q='))
        ?.trim()
        .slice(2);
      return { language: known(tag!), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ language, quality }) => language && quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  return preferred[0]?.language ?? 'en';
}
