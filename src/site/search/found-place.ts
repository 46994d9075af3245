/** A place as `/search.json` returns it. */
import type { Place, PlaceKind } from '../../market/search/place-index.ts';
import type { Bbox } from '../../spatial/bbox.ts';
import { cityPath, metroPath, zipPath, type Links } from '../links.ts';

export interface FoundPlace {
  kind: PlaceKind;
  /** `75201`; `Plano, TX`; `Dallas County, TX`; `Dallas-Fort Worth-Arlington, TX`; `Texas` */
  label: string;
  /** Tells places with the same label apart: `Dallas, TX`, or `City, 62 ZIP codes` */
  detail: string;
  /** West, south, east, north; null without a boundary */
  bbox: Bbox | null;
  /** For a ZIP code */
  zip: string | null;
  /** USPS code; null if unknown, or for a metro in several states */
  state: string | null;
  /** Slug of the launched metro that contains it */
  metro: string | null;
  /** The page about it, from the host; null outside the launched metros */
  url: string | null;
}

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
