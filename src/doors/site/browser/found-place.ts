/** A place that the search finds, as `/search.json` returns it. */

export interface FoundPlace {
  kind: 'zip' | 'city' | 'county' | 'metro' | 'state' | 'address';
  /** `75201`; `Plano, TX`; `Dallas County, TX`; `Dallas-Fort Worth-Arlington, TX`; `Texas` */
  label: string;
  /** Distinguishes places with the same label: `Dallas, TX`, or `City, 62 ZIP codes` */
  detail: string;
  /** West, south, east, north; null without a boundary */
  bbox: readonly [number, number, number, number] | null;
  /** Set for a ZIP code or an address */
  zip: string | null;
  /** USPS code; null if unknown, or for a metro in several states */
  state: string | null;
  /** Slug of the launched metro that contains it */
  metro: string | null;
  /** Address of its page, without a host; null outside the launched metros */
  url: string | null;
}
