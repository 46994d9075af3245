/** Links to pages and API operations. */
import type { Roots } from '../../base/contract/openapi/about.ts';
import type { StyleName } from '../../data/basemap/styles.ts';

/** Sizes of the maps on pages. The API offers these and others. */
export type MapSize = '400x400' | '600x315' | '1200x630' | '1200x800';

export interface MapImage {
  metroSlug: string;
  verticalSlug: string;
  size: MapSize;
  style?: StyleName;
  ratio?: 1 | 2;
}

/**
 * Links on a page have no host, so that the page works under any host name. Canonical addresses and link
 * previews are used elsewhere, so they are absolute.
 */
export class Links {
  readonly #roots: Roots;
  readonly #sitePath: string;
  readonly #apiPath: string;

  constructor(roots: Roots) {
    this.#roots = roots;
    this.#sitePath = pathOf(roots.site);
    this.#apiPath = pathOf(roots.api);
  }

  /** @param path relative to the site's root, such as `/methodology` */
  page(path: string): string {
    return this.#sitePath + path;
  }

  vertical(slug: string): string {
    return this.page(verticalPath(slug));
  }

  metroVertical(metroSlug: string, verticalSlug: string): string {
    return this.page(metroVerticalPath(metroSlug, verticalSlug));
  }

  /** @param path relative to the API root, such as `/openapi.json` */
  api(path: string): string {
    return this.#apiPath + path;
  }

  map(image: MapImage): string {
    return this.api(mapPath(image));
  }

  absolute(path: string): string {
    return this.#roots.site + path;
  }

  absoluteApi(path: string): string {
    return this.#roots.api + path;
  }
}

const pathOf = (root: string) => new URL(root).pathname.replace(/\/$/, '');

export const VERTICALS_PATH = '/verticals';
/** With `.json`, the results while typing */
export const SEARCH_PATH = '/search';
export const METROS_PATH = '/metros';

export const verticalPath = (slug: string) => `${VERTICALS_PATH}/${slug}`;

export const metroPath = (slug: string) => `${METROS_PATH}/${slug}`;

/** The list of a city's ZIP codes on the page of its metro. @param city `Plano, TX` */
export const cityPath = (metroSlug: string, city: string) =>
  `${metroPath(metroSlug)}#${cityAnchor(city)}`;

export const cityAnchor = (city: string) => city.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

export const zipPath = (zip: string) => `/zip/${zip}`;

/** The public map of a vertical's scores */
export const explorePath = (verticalSlug: string) => `/explore/${verticalSlug}`;

export const metroVerticalPath = (metroSlug: string, verticalSlug: string) =>
  `${METROS_PATH}/${metroSlug}/${verticalSlug}`;

/** Returns the path of a picture, relative to the API root. */
export function mapPath({ metroSlug, verticalSlug, size, style, ratio }: MapImage): string {
  const query = new URLSearchParams({ size });
  if (style) query.set('style', style);
  if (ratio) query.set('ratio', String(ratio));
  return `/public/metro/${metroSlug}/vertical/${verticalSlug}/map.png?${query}`;
}
