/** Titles of sources, as attributions show them. */
import { basename } from 'node:path';
import { parseCensusFile } from './census-file.ts';

/** Returns the source as its publisher names it or, for files of others, the file name in words. */
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
  // Their license prescribes the words.
  [/openstreetmap|geofabrik|(^|[-_])osm([-_]|$)/i, '© OpenStreetMap contributors'],
];

/** `us_trunk-roads` becomes `US trunk roads`. */
function inWords(name: string): string {
  const text = name
    // Attributions separate sources by commas.
    .replaceAll(/[\s_,-]+/g, ' ')
    .trim()
    .replaceAll(/\bus\b/gi, 'US');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
