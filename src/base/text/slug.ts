/** Slugs for URLs and commands: `Müller & Sons` becomes `muller-sons`. */
import { badRequest } from '../../errors.ts';

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MAX_LENGTH = 60;

/** @throws ServiceError 400 for a name without Latin letters or digits */
export function slugOfName(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  if (slug === '') {
    throw badRequest(
      `"${name}" has no Latin letters or digits for a short name. Enter one, such as acme-roofing.`,
    );
  }
  return slug;
}

/** Whether a name has a slug. A name in another script has no letters for it. */
export const hasSlug = (name: string) => /[a-z0-9]/i.test(name.normalize('NFKD'));

/** @throws ServiceError 400 if the text isn't a slug */
export function parseSlug(text: string): string {
  if (SLUG.test(text) && text.length <= MAX_LENGTH) return text;
  throw badRequest(
    `"${text}" is not a valid short name. Use at most ${MAX_LENGTH} lowercase letters and digits, ` +
      'with single dashes between them, such as acme-roofing.',
  );
}
