/**
 * Serves a scene's glyphs, images, and tiles to an engine that loads them by address. The style gets
 * `scene://` addresses, which are served from the scene. Nothing is fetched over the network.
 */
import type { SourceSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import { shippedFace, unavailableFont } from '../canvas/fonts.ts';
import { InvalidSceneError, UnsupportedStyleError } from '../errors.ts';
import { fontStacksOf, isTileSet, undeclaredSources, type Scene } from '../scene.ts';
import { featuresFor, tilesOf } from '../source-data.ts';
import { tileName, wrapTile } from '../vector-tiles.ts';
import { NOT_DRAWN_BY_NATIVE } from './native-subset.ts';
import { spriteSheet, type SpriteSheet } from './sprite-sheet.ts';

/** A font stack and a range of code points, such as `0-255`. */
export interface GlyphRequest {
  fontstack: string;
  range: string;
}

/** Returns glyphs as signed distance fields (glyphs.proto). */
export type RequestGlyphs = (question: GlyphRequest) => Promise<Uint8Array>;

/**
 * Returns the style with the scene's features and with `scene://` addresses. Omits sources without a
 * visible layer, since a scene may lack their data, and the sprite of a scene without images.
 *
 * @throws InvalidSceneError, UnsupportedStyleError for missing or mismatched data. This is checked in
 *   advance, because a map that waits for data can't be stopped
 */
export function withSceneAddresses(scene: Scene): StyleSpecification {
  const problems = undeclaredSources(scene);
  if (problems.length > 0) throw new InvalidSceneError(problems);
  const { sprite: _sprite, ...style } = scene.style;
  const hasImages = Object.keys(scene.images ?? {}).length > 0;
  const visible = style.layers.filter((layer) => layer.layout?.visibility !== 'none');
  const used = new Set(visible.flatMap((layer) => ('source' in layer ? layer.source : [])));
  return {
    ...style,
    ...(hasImages && { sprite: SPRITE }),
    // As in the canvas engine, a style without glyphs gets the shipped fonts.
    glyphs: 'scene://glyphs/{fontstack}/{range}',
    layers: visible,
    sources: Object.fromEntries(
      [...used].map((id) => [id, withData(scene, id, style.sources[id]!)]),
    ),
  };
}

function withData(scene: Scene, id: string, source: SourceSpecification): SourceSpecification {
  if (source.type === 'geojson') {
    const data = featuresFor(scene, id, typeof source.data === 'string' ? null : source.data);
    return data === source.data
      ? source
      : { ...source, data: { type: 'FeatureCollection', features: data as Feature[] } };
  }
  if (source.type === 'vector') {
    // Tiles of a scene always count rows from the north.
    const { url: _url, scheme: _scheme, ...rest } = source;
    const { minzoom, maxzoom } = tilesOf(scene, id);
    const address = `scene://tiles/${encodeURIComponent(id)}/{z}/{x}/{y}`;
    return { ...rest, minzoom, maxzoom, tiles: [address] };
  }
  throw new UnsupportedStyleError([
    { property: `sources.${id}.type`, reason: NOT_DRAWN_BY_NATIVE },
  ]);
}

const SPRITE = 'scene://sprite';

/** Returns the bytes at an address, or null for no content, as for a tile without features. */
export type Resources = (url: string) => Promise<Uint8Array | null>;

/** Returns the resources of a scene. Glyphs that the scene lacks are requested. */
export function sceneResources(
  { style, sources, glyphs = {}, images = {} }: Scene,
  requestGlyphs: RequestGlyphs,
): Resources {
  const stacks = fontStacksOf(glyphs);
  const tiles = new Map<string, Uint8Array>();
  for (const [id, data] of Object.entries(sources)) {
    if (!isTileSet(data)) continue;
    for (const tile of data.tiles) tiles.set(`${id}/${tileName(wrapTile(tile))}`, tile.bytes);
  }
  let sheet: Promise<SpriteSheet> | undefined;
  return async (url) => {
    // The library appends `@2x` for a ratio above 1. The images already fit the ratio of the scene.
    if (url.startsWith(SPRITE)) {
      const { index, png } = await (sheet ??= spriteSheet(images));
      return url.endsWith('.png') ? png : index;
    }
    const [scheme, , kind, ...parts] = url.split('/').map(decodeURIComponent);
    if (scheme === 'scene:' && kind === 'tiles') return tiles.get(parts.join('/')) ?? null;
    if (scheme === 'scene:' && kind === 'glyphs') {
      const [fontstack, range] = parts as [string, string];
      if (stacks.has(fontstack)) return glyphs[`${fontstack}/${range}`] ?? null;
      if (shippedFace(fontstack.split(',')) !== null) return requestGlyphs({ fontstack, range });
      throw new UnsupportedStyleError([
        { property: fontProperty(style, fontstack), reason: unavailableFont(fontstack) },
      ]);
    }
    throw new Error(`The map requested ${url}, which the scene does not contain`);
  };
}

/** Path of the first text with a font, since the library doesn't report which one requests it. */
function fontProperty({ layers }: StyleSpecification, fontstack: string): string {
  const index = layers.findIndex(({ layout }) => {
    const font = (layout as { 'text-font'?: unknown } | undefined)?.['text-font'];
    return Array.isArray(font) && font.join(',') === fontstack;
  });
  return index < 0 ? 'text-font' : `layers[${index}].layout.text-font`;
}
