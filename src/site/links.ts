/** Addresses of the pages and of the interface, as pages and crawlers need them. */
import type { Roots } from '../contract/openapi/about.ts';
import type { StyleName } from '../basemap/styles.ts';

/** The sizes in which pages show maps, of those that the interface draws. */
export type MapSize = '400x400' | '600x315' | '1200x630' | '1200x800';

export interface MapImage {
  metroSlug: string;
  verticalSlug: string;
  size: MapSize;
  style?: StyleName;
  ratio?: 1 | 2;
}

/**
 * Links within a page have no host, so that a page works under whatever name it was asked for by;
 * what leaves it (canonical address, link previews) has one.
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

  /** @param path from the site's root, such as `/methodology` */
  page(path: string): string {
    return this.#sitePath + path;
  }

  vertical(slug: string): string {
    return this.page(verticalPath(slug));
  }

  metroVertical(metroSlug: string, verticalSlug: string): string {
    return this.page(metroVerticalPath(metroSlug, verticalSlug));
  }

  /** @param path from the interface's root, such as `/openapi.json` */
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

export const verticalPath = (slug: string) => `/verticals/${slug}`;

export const metroVerticalPath = (metroSlug: string, verticalSlug: string) =>
  `/metros/${metroSlug}/${verticalSlug}`;

/** The address of a picture; what it leaves out is the interface's default. */
export function mapPath({ metroSlug, verticalSlug, size, style, ratio }: MapImage): string {
  const look = new URLSearchParams({ size });
  if (style) look.set('style', style);
  if (ratio) look.set('ratio', String(ratio));
  return `/public/metro/${metroSlug}/vertical/${verticalSlug}/map.png?${look}`;
}
