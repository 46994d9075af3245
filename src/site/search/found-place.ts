/** A place as `/search.json` returns it. */
import type { Place } from '../../market/search/place-index.ts';
import type { Address } from '../../outside/geocoding/engine.ts';
import type { ZipAt } from '../../market/search/zip-at.ts';
import type { FoundPlace } from '../browser/found-place.ts';
import { cityPath, metroPath, zipPath, type Links } from '../links.ts';

export const foundPlace = (place: Place, links: Links): FoundPlace => ({
  ...place,
  zip: place.kind === 'zip' ? place.label : null,
  url: pageOf(place, links),
});

/** Distance around an address on the map, in degrees: about a mile */
const AROUND_DEG = 0.008;

export const foundAddress = (
  { label, lng, lat }: Address,
  { zip, state, metro }: ZipAt,
  links: Links,
): FoundPlace => ({
  kind: 'address',
  label,
  detail: `Address in ${zip}`,
  bbox: [lng - AROUND_DEG, lat - AROUND_DEG, lng + AROUND_DEG, lat + AROUND_DEG],
  ...{ zip, state, metro },
  url: metro === null ? null : links.page(zipPath(zip)),
});

function pageOf({ kind, label, metro }: Place, links: Links): string | null {
  if (metro === null) return null;
  if (kind === 'zip') return links.page(zipPath(label));
  if (kind === 'city') return links.page(cityPath(metro, label));
  return links.page(metroPath(metro));
}
