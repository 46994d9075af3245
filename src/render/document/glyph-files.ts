/** The glyphs of a style's fonts, from files. */
import { latest, type StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { GlyphRanges } from '../scene.ts';
import { Assets } from './assets.ts';

/** A file holds 256 code points of the Basic Multilingual Plane. */
const RANGES = Array.from({ length: 256 }, (_, i) => `${i * 256}-${i * 256 + 255}`);

/**
 * Every range that there is of each font that the style may write in: which of them the texts need
 * is known only when they are. Undefined where the document keeps no glyphs among the assets.
 */
export async function readGlyphs(
  { glyphs: template, layers }: StyleSpecification,
  assets: Assets,
): Promise<GlyphRanges | undefined> {
  if (template === undefined || !Assets.isLocal(template)) return undefined;
  const symbols = layers.filter((layer) => layer.type === 'symbol');
  const stacks = new Set(symbols.flatMap((layer) => fontStacks(layer.layout ?? {})));
  if (symbols.length > 0) stacks.add(DEFAULT_STACK);
  const names = [...stacks].flatMap((fontstack) => RANGES.map((range) => ({ fontstack, range })));
  const found = await Promise.all(
    names.map(async ({ fontstack, range }): Promise<[string, Uint8Array][]> => {
      const address = template
        .replace('{fontstack}', encodeURIComponent(fontstack))
        .replace('{range}', range);
      const bytes = await assets.bytes(address, 'glyphs');
      return bytes === null ? [] : [[`${fontstack}/${range}`, bytes]];
    }),
  );
  const ranges = found.flat();
  return ranges.length > 0 ? Object.fromEntries(ranges) : undefined;
}

const DEFAULT_STACK = latest.layout_symbol['text-font'].default.join(',');

/**
 * What stands under `text-font`, be it in the layout or in a formatted text. An expression's list of
 * words, such as `["get", "font"]`, passes for a font that has no files.
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
