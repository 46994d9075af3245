/** The entry point for programs: draws a MapLibre style from local files. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { dirname } from 'node:path';
import type { Camera } from '../base/spatial/camera.ts';
import type { LngLat } from '../base/spatial/mercator.ts';
import { compileStyle } from './canvas/style/compile.ts';
import { faceResolver } from './canvas/text/face-resolver.ts';
import { unavailableFont } from './canvas/fonts.ts';
import type { CompiledStyle } from './canvas/style/compiled-style.ts';
import { Assets } from './document/assets.ts';
import { readGlyphs } from './document/glyph-files.ts';
import { closeArchives, openArchives, type OpenArchives } from './document/archives.ts';
import { ProblemList } from './document/problem-list.ts';
import { checkStyle, readStyle, sceneOf, StyleMemory } from './document/style-file.ts';
import { canvasRenderer, inProcessRenderer } from './engines.ts';
import type { MapFurniture } from './furniture/furniture.ts';
import { UnsupportedStyleError } from './errors.ts';
import type { GlyphRanges, PictureFormat } from './scene.ts';

export { InvalidSceneError, UnsupportedStyleError } from './errors.ts';
export { CrashError, UnavailableError } from '../base/workers/errors.ts';

export interface RendererOptions {
  /** A style document, or the path of one */
  style: string | StyleSpecification;
  /**
   * Folder for `local://` and relative addresses. Files outside it are never read. Default: the folder of
   * the style file, or the working folder
   */
  assets?: string;
  /**
   * Address of glyph files, such as `fonts/{fontstack}/{range}.pbf`; replaces `glyphs` of the style.
   * Without glyph files, only Noto Sans is available, and other fonts are refused
   */
  fonts?: string;
  /** A PMTiles or MBTiles file for all sources of its tile type, or files by source id */
  tiles?: string | Readonly<Record<string, string>>;
  /** Threads for drawing. Each draws one picture at a time; 0 draws in the calling thread. Default: 1 */
  workers?: number;
  /** Pictures that may wait for a worker. Default: 100 */
  queue?: number;
  /** Longest time to wait for a worker, and then for the picture, in seconds. Default: 60 */
  deadlineSeconds?: number;
  /**
   * Receives sentences that name what a picture lacks: letters that no font has, and images that no sprite
   * has. Default: `process.emitWarning`, which Node prints
   */
  onWarning?: (warning: string, request: PictureRequest) => void;
}

/** The map to draw. The camera defaults to the style's own, or else to [0, 0] at zoom 0 */
export interface PictureRequest extends Partial<Camera> {
  /** CSS pixels */
  width: number;
  height: number;
  /** Device pixels per CSS pixel. Default: 1 */
  pixelRatio?: number;
  /** Default: `png` */
  format?: PictureFormat;
  /** Title, legend, and attribution */
  furniture?: MapFurniture;
}

interface StyleRenderer {
  /**
   * Draws a picture. The same request gives the same bytes.
   *
   * @throws InvalidSceneError for tiles or sizes that cannot be drawn; UnavailableError if the queue is
   *   full or the picture takes too long; CrashError; the signal's reason
   */
  render(request: PictureRequest, signal?: AbortSignal): Promise<Buffer>;
  /** Finishes the pictures in progress, and closes files and threads. */
  close(): Promise<void>;
}

/**
 * Opens a style once, to draw many pictures of it.
 *
 * @throws InvalidSceneError with every problem of the style or a tile file; UnsupportedStyleError naming
 *   every property that isn't drawn
 */
export async function createRenderer(options: RendererOptions): Promise<StyleRenderer> {
  const { workers = 1, queue = 100, deadlineSeconds = 60, tiles } = options;
  const warn = options.onWarning ?? warnOnce();
  const isFile = typeof options.style === 'string';
  const document = isFile
    ? await readStyle(options.style as string)
    : checkStyle(options.style, 'the style');
  const style = options.fonts === undefined ? document : { ...document, glyphs: options.fonts };
  const assets = options.assets ?? (isFile ? dirname(options.style as string) : process.cwd());
  const memory = new StyleMemory();
  const archives = await openChecked(style, assets, tiles, memory);
  const renderer =
    workers === 0
      ? inProcessRenderer()
      : canvasRenderer({ workers, queue, deadlineMs: deadlineSeconds * 1000 });
  return {
    async render(request, signal) {
      const { format, furniture, pixelRatio = 1, ...view } = request;
      const scene = await sceneOf(style, { ...view, pixelRatio, assets, archives }, memory);
      const drawn = {
        ...scene,
        ...(format === undefined ? {} : { format }),
        ...(furniture === undefined ? {} : { furniture }),
      };
      return renderer.render(drawn, signal, (warning) => warn(warning, request));
    },
    async close() {
      await renderer.close();
      await closeArchives(archives);
    },
  };
}

/** The least that names every file. At zoom 0, each source has at most one tile. */
const WORLD = {
  center: [0, 0] as LngLat,
  zoom: 0,
  bearing: 0,
  pitch: 0,
  roll: 0,
  width: 1,
  height: 1,
};

/**
 * Opens the tile files of a style, and checks everything that a picture of it may need.
 *
 * @throws InvalidSceneError, UnsupportedStyleError with every problem
 */
async function openChecked(
  style: StyleSpecification,
  assets: string,
  tiles: RendererOptions['tiles'],
  memory: StyleMemory,
): Promise<OpenArchives> {
  const problems = new ProblemList();
  const compiled = await problems.collect(() => compileStyle(style));
  const glyphs = await problems.collect(() =>
    memory.readOnce('glyphs', () => readGlyphs(style, new Assets(assets))),
  );
  if (compiled !== undefined) await problems.collect(() => refuseMissingFonts(compiled, glyphs));
  const archives = await problems.collect(() =>
    tiles === undefined ? {} : openArchives(style, tiles),
  );
  const read = (pixelRatio: number) =>
    sceneOf(style, { ...WORLD, pixelRatio, assets, archives }, memory);
  try {
    // Without the tile files, the addresses that they replace would be reported.
    if (archives !== undefined) {
      await problems.collect(() =>
        // A sprite may have sheets for one of the pixel ratios only.
        read(1).catch((error: unknown) => read(2).catch(() => Promise.reject(error))),
      );
    }
    problems.throwAny();
    return archives!;
  } catch (error) {
    await closeArchives(archives ?? {});
    throw error;
  }
}

/** Refuses fonts that no picture can have. The fonts of expressions are known only when they are drawn. */
function refuseMissingFonts({ layers }: CompiledStyle, glyphs: GlyphRanges | undefined): void {
  const faceOf = faceResolver(glyphs);
  const unsupported = layers.flatMap(({ path, given, properties }) => {
    const font = properties.get('text-font');
    if (!given.has('text-field') || font?.kind !== 'constant') return [];
    const stack: string[] = font.evaluate({ zoom: 0 });
    const reason = unavailableFont(stack.join(','));
    return faceOf(stack) === null ? [{ property: `${path}.layout.text-font`, reason }] : [];
  });
  if (unsupported.length > 0) throw new UnsupportedStyleError(unsupported);
}

/** Emits each warning once, however many pictures it applies to. */
function warnOnce(): (warning: string) => void {
  const emitted = new Set<string>();
  return (warning) => {
    if (!emitted.has(warning)) process.emitWarning(warning);
    emitted.add(warning);
  };
}
