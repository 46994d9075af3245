/** A place as `/search.json` returns it. */
import type { Place } from '../../market/search/place-index.ts';
import type { FoundPlace } from '../browser/found-place.ts';
import { cityPath, metroPath, zipPath, type Links } from '../links.ts';

export const foundPlace = (place: Place, links: Links): FoundPlace => ({
  ...place,
  zip: place.kind === 'zip' ? place.label : null,
  url: pageOf(place, links),
});

function pageOf({ kind, label, metro }: Place, links: Links): string | null {
  if (metro === null) return null;
  if (kind === 'zip') return links.page(zipPath(label));
  if (kind === 'city') return links.page(cityPath(metro, label));
  return links.page(metroPath(metro));
}
