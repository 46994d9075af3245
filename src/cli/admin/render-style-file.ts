/** `territory-admin render --style-file`: any style document, without a database. */
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Option, type Command } from 'commander';
import { readScene } from '../../render/document/style-file.ts';
import { InvalidSceneError, UnsupportedStyleError } from '../../render/errors.ts';
import type { Renderer } from '../../render/renderer.ts';
import type { Scene } from '../../render/scene.ts';
import { explain, print } from './command.ts';
import { formatOf, type PictureFlags } from './picture-options.ts';

export interface StyleFileFlags extends PictureFlags {
  styleFile?: string;
  assets?: string;
}

/** The style is valid, but asks for more than the engine draws. */
const BEYOND_SUBSET = 3;

/** Without `--size` */
const SIZE = { width: 512, height: 512 };

export function addStyleFileOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--style-file <file>',
        'draw this style document, and nothing of the database',
      ).conflicts(['metro', 'state', 'nation', 'zips', 'vertical', 'live', 'pending', 'removed']),
    )
    .option(
      '--assets <folder>',
      'where the document’s local:// and relative addresses are looked up; else its own folder',
    )
    .addHelpText(
      'after',
      `\nWith --style-file the exit code is ${BEYOND_SUBSET} for a style beyond what is drawn.`,
    );
}

export async function renderStyleFile(
  renderer: Pick<Renderer, 'render'>,
  file: string,
  flags: StyleFileFlags,
  command: Command,
): Promise<void> {
  const format = formatOf(flags.output, command);
  try {
    const scene = await readScene({
      file,
      assets: flags.assets ?? dirname(file),
      center: flags.center,
      zoom: flags.zoom,
      ...(flags.size ?? SIZE),
      pixelRatio: flags.ratio,
    });
    const picture = await renderer.render({ ...scene, format });
    await writeFile(flags.output, picture);
    const { width, height, pixelRatio, view } = scene;
    const result = { file: flags.output, bytes: picture.length, width, height, pixelRatio };
    print(flags, { ...result, view, tiles: tilesRead(scene) }, ({ tiles }) =>
      [
        `${flags.output}: ${width} x ${height} at ratio ${pixelRatio}`,
        ...Object.entries(tiles).map(([id, count]) => `${count} tiles of ${id}`),
      ].join(', '),
    );
  } catch (error) {
    for (const line of problems(error)) process.stderr.write(`territory-admin: ${line}\n`);
    process.exitCode = error instanceof UnsupportedStyleError ? BEYOND_SUBSET : 1;
  }
}

/** How many there were, by source: none at all, where the folder or the view is not the right one. */
function tilesRead({ sources }: Scene): Record<string, number> {
  return Object.fromEntries(
    Object.entries(sources).flatMap(([id, data]) =>
      'tiles' in data ? [[id, data.tiles.length] as const] : [],
    ),
  );
}

function problems(error: unknown): readonly string[] {
  if (error instanceof InvalidSceneError) return error.problems;
  return [error instanceof UnsupportedStyleError ? error.message : explain(error)];
}
