/** The page's data for its script, for all of its parts. Pure. */
import type { Market } from './market.ts';
import { measuresOf, type Measure } from './measures.ts';
import type { WorkspaceConfig } from './page-config.ts';

let given: WorkspaceConfig | undefined;

/** Keeps what the page tells. The script calls it before all else. */
export function setConfig(config: WorkspaceConfig): void {
  given = config;
}

export function config(): WorkspaceConfig {
  if (!given) throw new Error('The page’s data hasn’t been read');
  return given;
}

/** All measures that the ZIP codes of a market can be colored and sorted by. */
export const measuresIn = (market: Pick<Market, 'columns'> | null): readonly Measure[] =>
  measuresOf(config().verticals, market?.columns.keys());

/** Fills the parameter of an address. */
export const pathWith = (path: string, value: string) =>
  path.replace(/\{\w+\}/, encodeURIComponent(value));
