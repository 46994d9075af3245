/** Reads the glyph files of a style's fonts. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { InvalidSceneError } from '../errors.ts';
import type { GlyphRanges } from '../scene.ts';
import { Assets } from './assets.ts';
import { latest } from '../style-spec.ts';

/** Each may have 256 files. */
const MAX_STACKS = 50;

/** Code point ranges of the files: 256 each, in the Basic Multilingual Plane */
const RANGES = Array.from({ length: 256 }, (_, i) => `${i * 256}-${i * 256 + 255}`);

/**
 * Reads all glyph ranges of a style's fonts, because the labels aren't known yet. Returns undefined if the
 * style has no local glyphs.
 */
export async function readGlyphs(
  { glyphs: template, layers }: StyleSpecification,
  assets: Assets,
): Promise<GlyphRanges | undefined> {
  if (template === undefined || !Assets.isLocal(template)) return undefined;
  const symbols = layers.filter((layer) => layer.type === 'symbol');
  const stacks = new Set(symbols.flatMap((layer) => fontStacks(layer.layout ?? {})));
  if (symbols.length > 0) stacks.add(DEFAULT_STACK);
  if (stacks.size > MAX_STACKS) {
    throw new InvalidSceneError([
      `the style uses ${stacks.size} fonts; the limit is ${MAX_STACKS}. Use fewer fonts.`,
    ]);
  }
  const names = [...stacks].flatMap((fontstack) => RANGES.map((range) => ({ fontstack, range })));
  const ranges = await Promise.all(
    names.map(async ({ fontstack, range }): Promise<[string, Uint8Array][]> => {
      const address = template
        .replace('{fontstack}', encodeURIComponent(fontstack))
        .replace('{range}', range);
      const bytes = await assets.readBytes(address, 'glyphs');
      return bytes === null ? [] : [[`${fontstack}/${range}`, bytes]];
    }),
  );
  return ranges.flat().length > 0 ? Object.fromEntries(ranges.flat()) : undefined;
}

const DEFAULT_STACK = latest.layout_symbol['text-font'].default.join(',');

/**
 * Collects the values of `text-font`, in layouts and in formatted texts. String lists in expressions, such
 * as `["get", "font"]`, are collected too, but have no files.
 */
function fontStacks(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'text-font' ? wordLists(inner) : fontStacks(inner),
  );
}

function wordLists(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value) && value.every((word) => typeof word === 'string')) {
    return [value.join(',')];
  }
  return Object.values(value).flatMap(wordLists);
}
