/**
 * What a scene's style names by address, for an engine that wants addresses: glyphs and tiles get
 * addresses of ours, and these are answered from the scene. Nothing is ever fetched.
 */
import type { SourceSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { InvalidSceneError } from '../errors.ts';
import type { Scene, SourceData } from '../scene.ts';
import { tileName, wrapTile } from '../vector-tiles.ts';

/** A range of a font's glyphs, as a style's `glyphs` address asks for it: `0-255` and so on. */
export interface GlyphQuestion {
  fontstack: string;
  range: string;
}

/** Glyphs as signed distance fields (glyphs.proto). */
export type AskGlyphs = (question: GlyphQuestion) => Promise<Uint8Array>;

/** The style with the scene's features in it, and with addresses of ours. */
export function addressedStyle({ style, sources }: Scene): StyleSpecification {
  const problems = [...undeclared(style, sources), ...unanswerable(style, sources)];
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

function undeclared(style: StyleSpecification, sources: Scene['sources']): string[] {
  return Object.keys(sources)
    .filter((id) => !(id in style.sources))
    .map((id) => `the style declares no source "${id}"`);
}

/** A map that has begun to ask cannot be stopped: what it would ask in vain is found before. */
function unanswerable(style: StyleSpecification, sources: Scene['sources']): string[] {
  const missing = Object.entries(style.sources)
    .filter(([id, source]) => !(id in sources || hasOwnFeatures(source)))
    .map(([id]) => `the source "${id}"`);
  if (style.sprite !== undefined) missing.push('a sprite');
  return missing.map((what) => `the style needs ${what}, which the scene does not bring along`);
}

function hasOwnFeatures(source: SourceSpecification): boolean {
  return source.type === 'geojson' && typeof source.data !== 'string';
}

function withData(id: string, source: SourceSpecification, data: SourceData): SourceSpecification {
  if (source.type === 'geojson' && !('tiles' in data)) {
    return { ...source, data: { type: 'FeatureCollection', features: [...data] } };
  }
  if (source.type === 'vector' && 'tiles' in data) {
    // The scene's tiles count their rows from the north, whatever the source's files do.
    const { url: _url, scheme: _scheme, ...kept } = source;
    const { minzoom, maxzoom } = data;
    const address = `scene://tiles/${encodeURIComponent(id)}/{z}/{x}/{y}`;
    return { ...kept, minzoom, maxzoom, tiles: [address] };
  }
  const given = 'tiles' in data ? 'vector tiles' : 'GeoJSON features';
  throw new InvalidSceneError([`the source "${id}" is of type ${source.type}, not ${given}`]);
}

/** The bytes at an address; null where there is nothing, as at a tile without features. */
export type Resources = (url: string) => Promise<Uint8Array | null>;

/** Glyphs that the scene does not bring along are asked for. */
export function resourcesOf({ sources, glyphs }: Scene, askGlyphs: AskGlyphs): Resources {
  const tiles = new Map<string, Uint8Array>();
  for (const [id, data] of Object.entries(sources)) {
    if (!('tiles' in data)) continue;
    for (const tile of data.tiles) tiles.set(`${id}/${tileName(wrapTile(tile))}`, tile.bytes);
  }
  return async (url) => {
    const [scheme, , kind, ...parts] = url.split('/').map(decodeURIComponent);
    if (scheme === 'scene:' && kind === 'tiles') return tiles.get(parts.join('/')) ?? null;
    if (scheme === 'scene:' && kind === 'glyphs') {
      const [fontstack, range] = parts as [string, string];
      if (glyphs === undefined) return askGlyphs({ fontstack, range });
      return glyphs[`${fontstack}/${range}`] ?? null;
    }
    throw new Error(`The map has asked for ${url}, which no scene brings along`);
  };
}
