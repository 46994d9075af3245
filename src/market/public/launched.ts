/** Finds launched verticals. */
import { notFound } from '../../errors.ts';
import { VERTICALS, type Vertical } from '../../scoring/verticals.ts';

/** @throws ServiceError 404 that lists the launched verticals */
export function verticalBySlug(slug: string): Vertical {
  const vertical = VERTICALS.find((v) => v.slug === slug);
  if (vertical) return vertical;
  throw notFound(
    `There is no launched vertical "${slug}". Use one of: ${VERTICALS.map((v) => v.slug).join(', ')}.`,
  );
}
