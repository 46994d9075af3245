/** The launched verticals by their slug in a URL; metros: see `metros.ts`. */
import { notFound } from '../../errors.ts';
import { VERTICALS, type Vertical } from '../../scoring/verticals.ts';

/** @throws ServiceError 404 that lists the launched verticals */
export function verticalBySlug(slug: string): Vertical {
  const vertical = VERTICALS.find((v) => v.slug === slug);
  if (vertical) return vertical;
  throw notFound(
    `There is no launched vertical "${slug}". There are: ${VERTICALS.map((v) => v.slug).join(', ')}.`,
  );
}
