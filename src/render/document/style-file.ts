/** Reads a style document and the local files that it names, as a scene to draw. */
import type { SourceSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { STYLE, STYLE_ASSETS } from './bounds.ts';
import { View3 } from '../../base/spatial/view.ts';
import type { LngLat } from '../../base/spatial/mercator.ts';
import { InvalidSceneError } from '../errors.ts';
import { readFeatures, type GeoJsonFeatures } from '../geojson-data.ts';
import { cameraOf, type Scene, type SourceData } from '../scene.ts';
import { refuseInvalid } from '../valid-style.ts';
import type { TileArchive } from './tile-archive.ts';
import { Assets, parseJson } from './assets.ts';
import { FileProblem, readBoundedFile } from './bounded-file.ts';
import { readGlyphs } from './glyph-files.ts';
import { ProblemList } from './problem-list.ts';
import { Pictures } from './picture-files.ts';
import { readRasterTiles } from './raster-files.ts';
import { readImages } from './sprite-files.ts';
import { readTiles } from './tile-files.ts';

export interface SceneRequest {
  /** Folder of `local://` and relative addresses */
  assets: string;
  /** By source id; replaces the addresses of the source */
  archives?: Readonly<Record<string, TileArchive>> | undefined;
  /** Default: the document's center and zoom, or else [0, 0] and 0, as in MapLibre */
  center?: LngLat | undefined;
  zoom?: number | undefined;
  /** Degrees. Default: those of the document, or else 0 */
  bearing?: number | undefined;
  pitch?: number | undefined;
  roll?: number | undefined;
  /** In CSS pixels */
  width: number;
  height: number;
  pixelRatio: number;
}

/**
 * Reads the data that a style needs for a view. An error lists the problems of all files.
 *
 * @param memory keeps data that doesn't depend on the view for later views
 * @throws InvalidSceneError, UnsupportedStyleError
 */
export async function sceneOf(
  style: StyleSpecification,
  request: SceneRequest,
  memory = new StyleMemory(),
): Promise<Scene> {
  const { width, height, pixelRatio } = request;
  const view = {
    center: request.center ?? (style.center as LngLat | undefined) ?? ([0, 0] as LngLat),
    zoom: request.zoom ?? style.zoom ?? 0,
    ...withoutZeros({
      bearing: request.bearing ?? style.bearing ?? 0,
      pitch: request.pitch ?? style.pitch ?? 0,
      roll: request.roll ?? style.roll ?? 0,
    }),
  };
  const camera = new View3(cameraOf({ view, width, height }), width, height);
  const assets = new Assets(request.assets);
  const problems = new ProblemList();
  const pictures = new Pictures(assets);
  const { archives } = request;
  const glyphs = await problems.collect(() =>
    memory.readOnce('glyphs', () => readGlyphs(style, assets)),
  );
  const images = await problems.collect(() =>
    memory.readOnce(`images ${pixelRatio}`, () => readImages(style, pixelRatio, assets, pictures)),
  );
  const read = { view: camera, assets, pictures, archives, memory };
  const { sources, warnings } = await readSources(style, read, problems);
  problems.throwAny();
  return {
    style,
    sources,
    ...(warnings.length === 0 ? {} : { warnings }),
    view,
    width,
    height,
    pixelRatio,
    ...(glyphs === undefined ? {} : { glyphs }),
    ...(images === undefined ? {} : { images }),
  };
}

/** Level views have no angles. */
function withoutZeros<T extends Record<string, number>>(angles: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(angles).filter(([, angle]) => angle !== 0),
  ) as Partial<T>;
}

/** Data that later views of the same style share. */
export class StyleMemory {
  private readonly results = new Map<string, Promise<unknown>>();

  /** Reads a value once. Failures are not kept. */
  readOnce<T>(name: string, read: () => Promise<T>): Promise<T> {
    let result = this.results.get(name) as Promise<T> | undefined;
    if (result === undefined) {
      result = read();
      this.results.set(name, result);
      result.catch(() => this.results.delete(name));
    }
    return result;
  }
}

/** @throws InvalidSceneError with every problem of the document */
export async function readStyle(file: string): Promise<StyleSpecification> {
  let bytes: Uint8Array;
  try {
    bytes = await readBoundedFile(file, STYLE.bytes);
  } catch (error) {
    const { message } = error as Error;
    throw new InvalidSceneError([
      error instanceof FileProblem
        ? `${file} ${message}`
        : `the style file cannot be read: ${message}`,
    ]);
  }
  return checkStyle(parseJson(bytes, file, STYLE), file);
}

/** @throws InvalidSceneError with every problem of the document */
export function checkStyle(document: unknown, name: string): StyleSpecification {
  const style = document as StyleSpecification;
  refuseLarge(style, name);
  refuseInvalid(style);
  return style;
}

/** The validator takes quadratic time in the number of layers. */
function refuseLarge(style: StyleSpecification, file: string): void {
  const { layers, sources } = (style ?? {}) as { layers?: unknown; sources?: unknown };
  const counts = {
    layers: Array.isArray(layers) ? layers.length : 0,
    sources: Object.keys(sources ?? {}).length,
  };
  for (const [name, limit] of [
    ['layers', STYLE.layers],
    ['sources', STYLE.sources],
  ] as const) {
    if (counts[name] <= limit) continue;
    throw new InvalidSceneError([
      `${file} has ${counts[name]} ${name}; the limit is ${limit}. Combine some of them.`,
    ]);
  }
}

interface Reading {
  view: View3;
  assets: Assets;
  pictures: Pictures;
  archives: SceneRequest['archives'];
  memory: StyleMemory;
}

/** Reads the sources of all visible layers, except for data in the document itself. */
async function readSources(
  { sources, layers }: StyleSpecification,
  reading: Reading,
  problems: ProblemList,
): Promise<{ sources: Record<string, SourceData>; warnings: string[] }> {
  const used = new Set(
    layers
      .filter((layer) => layer.layout?.visibility !== 'none')
      .flatMap((layer) => ('source' in layer ? layer.source : [])),
  );
  const found: [string, SourceData][] = [];
  const warnings: string[] = [];
  for (const id of used) {
    const source = sources[id]!;
    if (source.type === 'geojson') {
      const { data } = source;
      if (typeof data !== 'string') continue;
      const { memory, assets } = reading;
      const geoJson = await problems.collect(() =>
        memory.readOnce(`source ${id}`, () => readGeoJson(data, `sources.${id}.data`, assets)),
      );
      if (geoJson === undefined) continue;
      found.push([id, geoJson.features]);
      warnings.push(...geoJson.warnings);
    } else {
      const tiles = await problems.collect(() => readSource(id, source, reading));
      if (tiles != null) found.push([id, tiles]);
    }
  }
  // Unlike an assignment, this also works for an id such as `__proto__`.
  return { sources: Object.fromEntries(found), warnings };
}

/** Returns null for sources without files, such as a video. */
async function readSource(
  id: string,
  source: SourceSpecification,
  { view, assets, pictures, archives = {} }: Reading,
): Promise<SourceData | null> {
  const archive = Object.hasOwn(archives, id) ? archives[id] : undefined;
  if (source.type === 'vector') return readTiles(id, source, view, assets, archive);
  if (source.type === 'raster' || source.type === 'raster-dem') {
    return readRasterTiles(id, source, view, assets, pictures, archive);
  }
  return source.type === 'image' ? pictures.readExisting(source.url!, `sources.${id}.url`) : null;
}

async function readGeoJson(
  address: string,
  property: string,
  assets: Assets,
): Promise<GeoJsonFeatures> {
  const data = await assets.readJson(address, property, STYLE_ASSETS.geoJson);
  return readFeatures(data, `${property} (${address})`);
}
