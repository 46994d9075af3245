/**
 * The three basemap styles. Each is `styles/basemap.json`, filled in with a palette from
 * `styles/palettes/`: `"@land"` becomes the value of `land`, `"...@list"` the items of `list`.
 */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { readFileSync } from 'node:fs';
import { projectFile } from '../../base/geodata/project-files.ts';
import { inkLabels } from './label-inks.ts';

export const STYLE_NAMES = ['light', 'dark', 'muted'] as const;
export type StyleName = (typeof STYLE_NAMES)[number];

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

interface PaletteFile {
  name: string;
  /** Published in the style's metadata: see `palette.ts` */
  palette: Record<string, Json>;
  /** Colors that only the style's layers use */
  styleOnly: Record<string, Json>;
}

const loaded = new Map<StyleName, StyleSpecification>();

/** Returns a style document. All callers share it: treat it as read-only. */
export function loadStyle(name: StyleName): StyleSpecification {
  let style = loaded.get(name);
  if (style === undefined) {
    style = styleOf(name, paletteValues(name));
    loaded.set(name, style);
  }
  return style;
}

/** Returns a style document whose score colors begin at other lower bounds than the palette's. */
export function styleWithBreaks(name: StyleName, breaks: readonly number[]): StyleSpecification {
  const { palette, ...styleOnly } = paletteValues(name);
  const { scores, ...colors } = palette as { scores: Record<string, Json>; [key: string]: Json };
  const changed = { ...colors, scores: { ...scores, breaks: [...breaks] } };
  return styleOf(name, { ...styleOnly, ...changed, palette: changed });
}

function styleOf(name: StyleName, values: Record<string, Json>): StyleSpecification {
  const filled = fillIn(readJson('styles/basemap.json'), { sprite: `/sprites/${name}`, ...values });
  return inkLabels(filled as unknown as StyleSpecification);
}

/** Reads a text file of the project and replaces each `"@path"` with a value of the palette, or another. */
export function readWithPalette(
  path: string,
  name: StyleName,
  others: Readonly<Record<string, string>> = {},
): string {
  const values = { ...paletteValues(name), ...others };
  return readFileSync(projectFile(path), 'utf8').replace(
    /"@([\w.]+)"/g,
    (_, key: string) => `"${String(valueAt(key, values))}"`,
  );
}

/** All values of a palette, by their names in `styles/basemap.json` */
export function paletteValues(name: StyleName): Record<string, Json> {
  const { palette, styleOnly, ...rest } = readJson<PaletteFile>(`styles/palettes/${name}.json`);
  return { ...rest, palette, ...palette, ...styleOnly };
}

export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(projectFile(path), 'utf8')) as T;
}

function fillIn(node: Json, values: Record<string, Json>): Json {
  if (typeof node === 'string') return node.startsWith('@') ? valueAt(node.slice(1), values) : node;
  if (Array.isArray(node)) {
    return node.flatMap((item) =>
      typeof item === 'string' && item.startsWith('...@')
        ? (valueAt(item.slice('...@'.length), values) as Json[])
        : [fillIn(item, values)],
    );
  }
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, fillIn(value, values)]),
  );
}

/** @throws Error for a path that the palette doesn't define */
function valueAt(path: string, values: Record<string, Json>): Json {
  let value: Json | undefined = values;
  for (const key of path.split('.')) value = (value as Record<string, Json> | undefined)?.[key];
  if (value === undefined) throw new Error(`The palette has no value "${path}".`);
  return value;
}
