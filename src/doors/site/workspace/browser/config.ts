/** The page's data for its script. Pure. */
import type { Market } from './market.ts';
import { measuresOf, type Measure } from './measures.ts';
import type { Brand } from './territories/draft.ts';
import type { WorkspaceConfig } from './page-config.ts';

let given: WorkspaceConfig | undefined;

/** Stores the page's data. The script calls this first. */
export function setConfig(config: WorkspaceConfig): void {
  given = config;
}

export function config(): WorkspaceConfig {
  if (!given) throw new Error('The page’s data hasn’t been read');
  return given;
}

/** Adds a brand that was created on this page. */
export function addConfiguredBrand(brand: Brand): void {
  const brands = [...config().brands, brand].sort((a, b) => (a.slug < b.slug ? -1 : 1));
  given = { ...config(), brands };
}

/** All measures that can color and sort the ZIP codes of a market. */
export const measuresIn = (
  market: Pick<Market, 'columns' | 'dataSets'> | null,
): readonly Measure[] => measuresOf(config().verticals, market);

/** Fills in the parameter of an address. */
export const pathWith = (path: string, value: string) =>
  path.replace(/\{\w+\}/, encodeURIComponent(value));
