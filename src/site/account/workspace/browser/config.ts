/** Reads what the page tells its script. */
import { measuresOf, type Measure } from './measures.ts';
import type { WorkspaceConfig } from './page-config.ts';

let read: WorkspaceConfig | undefined;

/** Reads the page's data block once. */
export function config(): WorkspaceConfig {
  if (!read) {
    const block = document.querySelector('script[type="application/json"]');
    if (!block?.textContent) throw new Error('The page has no data block');
    read = JSON.parse(block.textContent) as WorkspaceConfig;
  }
  return read;
}

let measures: readonly Measure[] | undefined;

/** All measures that ZIP codes can be colored and sorted by. */
export const allMeasures = (): readonly Measure[] => (measures ??= measuresOf(config().verticals));

/** Fills the parameter of an address. */
export const pathWith = (path: string, value: string) =>
  path.replace(/\{\w+\}/, encodeURIComponent(value));
