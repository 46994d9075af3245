/** Titles of sources for attributions. */
import { basename } from 'node:path';
import { parseCensusFile } from './census-file.ts';

/** Returns the publisher's title of a source or, for other publishers, the file name in words. */
export function sourceTitle(file: string): string {
  const name = basename(file).replace(/\.\w+$/, '');
  const census = parseCensusFile(file);
  if (census?.product === 'tl') return `US Census Bureau TIGER/Line ${census.year}`;
  if (census) return `US Census Bureau cartographic boundaries ${census.year}`;
  const naturalEarth = /^ne_(\d+)m_/.exec(name);
  if (naturalEarth) return `Natural Earth 1:${naturalEarth[1]}m`;
  return PUBLISHERS.find(([pattern]) => pattern.test(name))?.[1] ?? inWords(name);
}

const PUBLISHERS: readonly [RegExp, string][] = [
  [/gempak/i, 'Unidata GEMPAK'],
  // The license prescribes the wording.
  [/openstreetmap|geofabrik|(^|[-_])osm([-_]|$)/i, '© OpenStreetMap contributors'],
];

/** `us_trunk-roads` becomes `US trunk roads`. */
function inWords(name: string): string {
  const text = name
    // Commas separate sources in attributions.
    .replaceAll(/[\s_,-]+/g, ' ')
    .trim()
    .replaceAll(/\bus\b/gi, 'US');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
