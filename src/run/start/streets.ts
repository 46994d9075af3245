/** Opens the streets of maps: the configured archive, or the sample's. */
import type { Config } from '../../config.ts';
import { readDatasets } from '../../base/db/datasets.ts';
import type { Queryable } from '../../base/db/queryable.ts';
import { ConfigError } from '../../errors.ts';
import { SAMPLE_STREETS } from '../../base/geodata/project-files.ts';
import { WrongArchiveError } from '../../data/streets/archive.ts';
import { publicAddress } from '../../data/streets/byte-ranges.ts';
import { openStreets, type Streets, type StreetsLog } from '../../data/streets/streets.ts';

/** Whether the boundaries are those of the sample; null if there are none yet */
export const isSample = async (db: Queryable): Promise<boolean | null> =>
  (await readDatasets(db)).get('boundaries')?.synthetic ?? null;

/**
 * Opens the streets of a service.
 *
 * @param opening the database, which says whether the data is the sample
 * @throws ConfigError for a file that isn't an archive of streets
 */
export function streetsOf(
  { basemapTiles }: Config,
  opening: Promise<Queryable>,
  log: StreetsLog,
): Promise<Streets> {
  return basemapTiles === undefined
    ? // Census files may replace the sample while the service runs.
      openStreets(SAMPLE_STREETS, log, { isWanted: async () => isSample(await opening) })
    : openConfigured(basemapTiles, log);
}

/**
 * Opens the streets of a command that draws a picture.
 *
 * @param warn receives a sentence if they can't be read
 * @throws ConfigError, as `streetsOf`
 */
export async function commandStreetsOf(
  { basemapTiles }: Config,
  db: Queryable,
  warn: (warning: string) => void,
): Promise<Streets | null> {
  const log: StreetsLog = {
    info: () => {},
    warn: ({ address, problem }, message) => warn(`${message} (${address}: ${problem})`),
  };
  if (basemapTiles !== undefined) return openConfigured(basemapTiles, log);
  return (await isSample(db)) ? openStreets(SAMPLE_STREETS, log) : null;
}

async function openConfigured(address: string, log: StreetsLog): Promise<Streets> {
  try {
    return await openStreets(address, log);
  } catch (error) {
    if (!(error instanceof WrongArchiveError)) throw error;
    throw new ConfigError([`BASEMAP_TILES: ${publicAddress(address)} ${error.message}`]);
  }
}
