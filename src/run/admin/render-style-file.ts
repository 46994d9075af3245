/** `territory-admin render --style-file`: draws a style document without a database. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Option, type Command } from 'commander';
import { closeArchives, openArchives, type OpenArchives } from '../../render/document/archives.ts';
import { readStyle, sceneOf } from '../../render/document/style-file.ts';
import { InvalidSceneError, UnsupportedStyleError } from '../../render/errors.ts';
import type { Renderer } from '../../render/renderer.ts';
import { MAX_PITCH, type Scene } from '../../render/scene.ts';
import { describeError } from '../../base/observe/describe-error.ts';
import { print } from './command.ts';
import { startDeadline } from './deadline.ts';
import {
  asWarning,
  formatOf,
  parseBearing,
  parsePitch,
  type PictureFlags,
} from './picture-options.ts';

export interface StyleFileFlags extends PictureFlags {
  styleFile?: string;
  assets?: string;
  tiles?: readonly string[];
  bearing?: number;
  pitch?: number;
}

/** Exit code for a valid style with features that the engine doesn't draw */
const UNSUPPORTED_STYLE = 3;

/** Time limit. The slowest published styles take a few seconds. */
const DEADLINE_SECONDS = 120;
const TOO_LATE =
  `territory-admin: the picture took more than ${DEADLINE_SECONDS} seconds and was canceled. ` +
  'Simplify the style or its data, or draw a smaller area.';

/** Default of `--size` */
const SIZE = { width: 512, height: 512 };

export function addStyleFileOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--style-file <file>',
        'draw this style document instead of the service’s data',
      ).conflicts(['metro', 'state', 'nation', 'zips', 'vertical', 'live', 'pending', 'removed']),
    )
    .option(
      '--assets <folder>',
      'base folder for local:// and relative URLs (default: the folder of the style)',
    )
    .option(
      '--tiles <file>',
      'PMTiles or MBTiles file for all sources of its kind, or source=file for one; repeatable',
      (file: string, others: readonly string[] = []) => [...others, file],
    )
    .option(
      '--bearing <degrees>',
      'compass direction that points up, with --style-file (default: from the style)',
      parseBearing,
    )
    .option(
      '--pitch <degrees>',
      `angle from straight down, 0 to ${MAX_PITCH}, with --style-file (default: from the style)`,
      parsePitch,
    )
    .addHelpText(
      'after',
      `\nWith --style-file, exit code ${UNSUPPORTED_STYLE} means that the style uses unsupported features.`,
    );
}

export async function renderStyleFile(
  renderer: Pick<Renderer, 'render'>,
  file: string,
  flags: StyleFileFlags,
  command: Command,
): Promise<void> {
  const format = formatOf(flags.output, command);
  const cancelDeadline = startDeadline(DEADLINE_SECONDS, TOO_LATE);
  let archives: OpenArchives | undefined;
  try {
    const style = await readStyle(file);
    archives = flags.tiles && (await openArchives(style, filesBySource(style, flags.tiles)));
    const scene = await sceneOf(style, {
      archives,
      assets: flags.assets ?? dirname(file),
      center: flags.center,
      zoom: flags.zoom,
      bearing: flags.bearing,
      pitch: flags.pitch,
      ...(flags.size ?? SIZE),
      pixelRatio: flags.ratio ?? 1,
    });
    const warnings: string[] = [];
    const picture = await renderer.render({ ...scene, format }, undefined, (warning) =>
      warnings.push(warning),
    );
    await writeFile(flags.output, picture);
    const { width, height, pixelRatio, view } = scene;
    const result = { file: flags.output, bytes: picture.length, width, height, pixelRatio };
    print(flags, { ...result, view, tiles: countTiles(scene), warnings }, ({ tiles }) =>
      [
        [
          `${flags.output}: ${width} x ${height} at ratio ${pixelRatio}`,
          ...Object.entries(tiles).map(([id, count]) => `${count} tiles of ${id}`),
        ].join(', '),
        ...warnings.map(asWarning),
      ].join('\n'),
    );
  } catch (error) {
    for (const line of describeProblems(error)) process.stderr.write(`territory-admin: ${line}\n`);
    process.exitCode = error instanceof UnsupportedStyleError ? UNSUPPORTED_STYLE : 1;
  } finally {
    if (archives !== undefined) await closeArchives(archives);
    await cancelDeadline();
  }
}

/** Returns a single file for all sources, or files by source, given as `source=file`. */
function filesBySource({ sources }: StyleSpecification, tiles: readonly string[]) {
  const named = tiles.map((tile) => {
    const [id, ...rest] = tile.split('=');
    return rest.length > 0 && !id!.includes('/') ? ([id!, rest.join('=')] as const) : tile;
  });
  const [first] = named;
  if (typeof first === 'string' && named.length === 1) return first;
  return Object.fromEntries(
    named.map((tile) => {
      if (typeof tile !== 'string') return tile;
      const ids = Object.keys(sources).join(', ');
      throw new InvalidSceneError([
        `--tiles ${tile} names no source. With several files, write each as SOURCE=FILE, with one of ${ids}`,
      ]);
    }),
  );
}

/** Returns the number of tiles of each source. 0 hints at a wrong folder or view. */
function countTiles({ sources }: Scene): Record<string, number> {
  return Object.fromEntries(
    Object.entries(sources).flatMap(([id, data]) =>
      'tiles' in data ? [[id, data.tiles.length] as const] : [],
    ),
  );
}

function describeProblems(error: unknown): readonly string[] {
  if (error instanceof InvalidSceneError || error instanceof UnsupportedStyleError) {
    return error.problems;
  }
  return [describeError(error)];
}
