/** Short names for addresses and command lines: `Müller & Sons` is `muller-sons`. */
import { badRequest } from './errors.ts';

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MAX_LENGTH = 60;

/** @throws ServiceError 400 for a name without a letter or digit of the Latin alphabet */
export function slugOfName(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  if (slug === '') {
    throw badRequest(`No short name can be made of "${name}". Give one, such as acme-roofing.`);
  }
  return slug;
}

/** @throws ServiceError 400 for what is no slug */
export function checkedSlug(text: string): string {
  if (SLUG.test(text) && text.length <= MAX_LENGTH) return text;
  throw badRequest(
    `"${text}" cannot be a short name. Small letters and digits, with single dashes between them, ` +
      `make one, ${MAX_LENGTH} characters at most: acme-roofing.`,
  );
}
