/** Changes in words. */
import { formatCount, joinWithAnd, pluralize } from '../../../base/text/words.ts';
import type { Change } from './read.ts';

/** `North −2, South +2, and 1 other brand` */
export function partsText({ parts, otherBrands }: Change): string {
  const texts = parts.map(({ brand, added, removed }) =>
    [
      brand.name,
      ...(added.length > 0 ? [`+${formatCount(added.length)}`] : []),
      ...(removed.length > 0 ? [`−${formatCount(removed.length)}`] : []),
    ].join(' '),
  );
  return joinWithAnd([
    ...texts,
    ...(otherBrands > 0 ? [pluralize(otherBrands, 'other brand')] : []),
  ]);
}
