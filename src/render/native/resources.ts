/**
 * Serves a scene's glyphs and tiles to an engine that loads them by address. The style gets `scene://`
 * addresses, which are answered from the scene. Nothing is fetched over the network.
 */
import type { SourceSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { InvalidSceneError } from '../errors.ts';
import {
  dataKind,
  isFeatures,
  isTileSet,
  undeclaredSources,
  type Scene,
  type SourceData,
} from '../scene.ts';
import { tileName, wrapTile } from '../vector-tiles.ts';

/** A font stack and a range of code points, such as `0-255`. */
export interface GlyphRequest {
  fontstack: string;
  range: string;
}

/** Returns glyphs as signed distance fields (glyphs.proto). */
export type RequestGlyphs = (question: GlyphRequest) => Promise<Uint8Array>;

/** Returns the style with the scene's features and with `scene://` addresses. */
export function withSceneAddresses(scene: Scene): StyleSpecification {
  const { style, sources } = scene;
  const problems = [...undeclaredSources(scene), ...missingResources(scene)];
  if (problems.length > 0) throw new InvalidSceneError(problems);
  return {
    ...style,
    ...(style.glyphs === undefined ? {} : { glyphs: 'scene://glyphs/{fontstack}/{range}' }),
    sources: Object.fromEntries(
      Object.entries(style.sources).map(([id, source]) => {
        const data = sources[id];
        return [id, data === undefined ? source : withData(id, source, data)];
      }),
    ),
  };
}

/** Finds missing resources in advance, because a map that waits for one cannot be stopped. */
function missingResources({ style, sources }: Scene): string[] {
  const missing = Object.entries(style.sources)
    .filter(([id, source]) => !(id in sources || hasInlineFeatures(source)))
    .map(([id]) => `the source "${id}"`);
  if (style.sprite !== undefined) missing.push('a sprite');
  return missing.map((name) => `the style needs ${name}, which the scene does not contain`);
}

function hasInlineFeatures(source: SourceSpecification): boolean {
  return source.type === 'geojson' && typeof source.data !== 'string';
}

function withData(id: string, source: SourceSpecification, data: SourceData): SourceSpecification {
  if (source.type === 'geojson' && isFeatures(data)) {
    return { ...source, data: { type: 'FeatureCollection', features: [...data] } };
  }
  if (source.type === 'vector' && isTileSet(data)) {
    // Tiles of a scene always count rows from the north.
    const { url: _url, scheme: _scheme, ...rest } = source;
    const { minzoom, maxzoom } = data;
    const address = `scene://tiles/${encodeURIComponent(id)}/{z}/{x}/{y}`;
    return { ...rest, minzoom, maxzoom, tiles: [address] };
  }
  throw new InvalidSceneError([
    `the source "${id}" is of type ${source.type}, but the scene has ${dataKind(data)} for it: change the type or the data`,
  ]);
}

/** Returns the bytes at an address, or null for no content, as for a tile without features. */
export type Resources = (url: string) => Promise<Uint8Array | null>;

/** Returns the resources of a scene. Glyphs that it does not contain are requested. */
export function sceneResources(
  { sources, glyphs }: Scene,
  requestGlyphs: RequestGlyphs,
): Resources {
  const tiles = new Map<string, Uint8Array>();
  for (const [id, data] of Object.entries(sources)) {
    if (!isTileSet(data)) continue;
    for (const tile of data.tiles) tiles.set(`${id}/${tileName(wrapTile(tile))}`, tile.bytes);
  }
  return async (url) => {
    const [scheme, , kind, ...parts] = url.split('/').map(decodeURIComponent);
    if (scheme === 'scene:' && kind === 'tiles') return tiles.get(parts.join('/')) ?? null;
    if (scheme === 'scene:' && kind === 'glyphs') {
      const [fontstack, range] = parts as [string, string];
      if (glyphs === undefined) return requestGlyphs({ fontstack, range });
      return glyphs[`${fontstack}/${range}`] ?? null;
    }
    throw new Error(`The map requested ${url}, which the scene does not contain`);
  };
}
