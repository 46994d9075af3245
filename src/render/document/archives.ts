/** Opens the tile archives of a style's sources. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { InvalidSceneError } from '../errors.ts';
import { openArchive } from './open-archive.ts';
import type { TileArchive } from './tile-archive.ts';

export type OpenArchives = Readonly<Record<string, TileArchive>>;

/**
 * @param files a file for all sources of its tile type, or a file for each of some sources
 * @throws InvalidSceneError for a file that can't be read or that no source can use
 */
export async function openArchives(
  style: StyleSpecification,
  files: string | Readonly<Record<string, string>>,
): Promise<OpenArchives> {
  const opened = new Map<string, TileArchive>();
  try {
    for (const file of typeof files === 'string' ? [files] : Object.values(files)) {
      if (!opened.has(file)) opened.set(file, await openArchive(file));
    }
    return matchSources(style, files, opened);
  } catch (error) {
    await closeArchives(Object.fromEntries(opened));
    throw error;
  }
}

function matchSources(
  { sources }: StyleSpecification,
  files: string | Readonly<Record<string, string>>,
  opened: ReadonlyMap<string, TileArchive>,
): OpenArchives {
  const idsFor = ({ format }: TileArchive) =>
    Object.keys(sources).filter((id) =>
      format === 'mvt'
        ? sources[id]!.type === 'vector'
        : ['raster', 'raster-dem'].includes(sources[id]!.type),
    );
  const pairs =
    typeof files === 'string'
      ? idsFor(opened.get(files)!).map((id) => [id, files] as const)
      : Object.entries(files);
  const problems = [...opened.values()].flatMap((archive) => {
    const ids = idsFor(archive);
    const unfit = pairs.filter(([id, file]) => file === archive.file && !ids.includes(id));
    if (unfit.length === 0 && ids.length > 0) return [];
    const which = unfit.map(([id]) => ` "${id}"`).join(',');
    const choices = ids.length === 0 ? 'it has no such source' : `use ${ids.join(' or ')}`;
    return [
      `${archive.file} has tiles in ${archive.format}, for which the style has no source${which}: ${choices}`,
    ];
  });
  if (problems.length > 0) throw new InvalidSceneError(problems);
  return Object.fromEntries(pairs.map(([id, file]) => [id, opened.get(file)!]));
}

export async function closeArchives(archives: OpenArchives): Promise<void> {
  for (const archive of new Set(Object.values(archives))) await archive.close();
}
