/** Checks the archive of streets: that it can be read, is recent and complete, and covers the imported ZIP codes. */
import type { Config } from '../../../config.ts';
import type { Queryable } from '../../../base/db/database.ts';
import { whyOutside } from '../../../base/geodata/country.ts';
import { describeError } from '../../../base/observe/describe-error.ts';
import type { Bbox } from '../../../base/spatial/bbox.ts';
import { mercatorX, mercatorY } from '../../../base/spatial/mercator.ts';
import { isSample } from '../../start/streets.ts';
import {
  openStreetsArchive,
  WrongArchiveError,
  type StreetsArchive,
} from '../../../data/streets/archive.ts';
import { isUrl, publicAddress } from '../../../data/streets/byte-ranges.ts';
import { formatCount } from '../../../base/text/words.ts';
import { isBlank } from './data.ts';
import { failed, ok, skipped, warning, type CheckResult } from './check-result.ts';
import { formatBytes } from './machine.ts';

/** Protomaps' tiles have all streets from this zoom. */
const FULL_ZOOM = 14;
const YEAR_MS = 365 * 24 * 3600 * 1000;

export async function checkStreets(
  db: Queryable,
  { basemapTiles: address }: Config,
): Promise<CheckResult> {
  if (address === undefined) {
    const hasSample = !(await isBlank(db)) && (await isSample(db));
    const shown = hasSample
      ? 'show made-up streets of downtown Dallas, like the sample data'
      : 'are plain';
    return skipped(`BASEMAP_TILES is not set: maps ${shown}`);
  }
  let archive: CheckedArchive;
  try {
    archive = await readArchive(address);
  } catch (error) {
    return failureOf(error as Error, address);
  }
  return judge(archive, publicAddress(address), await countZips(db, archive.bounds));
}

interface CheckedArchive extends StreetsArchive {
  /** A sample of the tiles within its bounds; null for a missing one */
  sample: readonly (Uint8Array | null)[];
}

async function readArchive(address: string): Promise<CheckedArchive> {
  const archive = await openStreetsArchive(address);
  try {
    return { ...archive, sample: await sampleTiles(archive) };
  } finally {
    await archive.close();
  }
}

interface ZipCounts {
  /** ZIP codes with a boundary */
  zips: number;
  /** Those within the archive's bounds */
  covered: number;
}

function judge(archive: CheckedArchive, place: string, { zips, covered }: ZipCounts): CheckResult {
  const { name, schema, bytes, compression, minZoom, maxZoom, bounds, dataDate } = archive;
  const facts = [
    `${name} ${schema} (${place}): ${formatBytes(bytes)}`,
    compression === 'gzip' ? 'gzip' : 'uncompressed',
    `zooms ${minZoom} to ${maxZoom}`,
    `bounds ${bounds.join(',')}`,
    ...(dataDate === null ? [] : [`OpenStreetMap data of ${dataDate.slice(0, 10)}`]),
    ...(zips === 0 ? [] : [`${formatCount(covered)} of ${formatCount(zips)} ZIP codes within`]),
  ].join(', ');
  const problems = [
    ageProblem(dataDate),
    placeProblem(bounds, { zips, covered }),
    maxZoom < FULL_ZOOM && [
      `It ends at zoom ${maxZoom}, so streets are missing or coarse up close`,
      `Extract it with --maxzoom=${FULL_ZOOM}.`,
    ],
    gapProblem(archive.sample),
  ].filter((problem) => problem !== false);
  if (problems.length === 0) return ok(facts);
  return warning(
    [facts, ...problems.map(([detail]) => detail)].join('. '),
    problems.map(([, fix]) => fix).join(' '),
  );
}

type Problem = readonly [detail: string, fix: string] | false;

function ageProblem(dataDate: string | null): Problem {
  const age = Date.now() - Date.parse(dataDate ?? '');
  const fix = 'Extract a current build of Protomaps.';
  if (Number.isNaN(age)) return ['It doesn’t state the date of its OpenStreetMap data', fix];
  return age > YEAR_MS && ['Its OpenStreetMap data is older than a year', fix];
}

function placeProblem(bounds: Bbox, { zips, covered }: ZipCounts): Problem {
  const fix = 'Extract the area of your ZIP codes.';
  if (zips > 0) return covered === 0 && ['No imported ZIP code is within its bounds', fix];
  return whyOutside(bounds) !== null && ['It lies outside the United States and its islands', fix];
}

/** A map is plain where the archive has gaps, because half a map of streets would mislead. */
function gapProblem(sample: CheckedArchive['sample']): Problem {
  const missing = sample.filter((tile) => tile === null).length;
  return (
    missing > 0 && [
      `Within its bounds, it lacks ${missing} of ${sample.length} tiles in a sample, and maps are plain there`,
      'Cut it with --bbox instead of --region.',
    ]
  );
}

const SAMPLE_ZOOM = 12;
/** Tiles on each side of the sample */
const SAMPLE_SIDE = 8;

async function sampleTiles(archive: StreetsArchive): Promise<(Uint8Array | null)[]> {
  const [west, south, east, north] = archive.bounds;
  const z = Math.min(SAMPLE_ZOOM, archive.maxZoom);
  const rows = spread(mercatorY(north) * 2 ** z, mercatorY(south) * 2 ** z);
  const sample: (Uint8Array | null)[] = [];
  // One column at a time, because each read has a deadline.
  for (const x of spread(mercatorX(west) * 2 ** z, mercatorX(east) * 2 ** z)) {
    sample.push(...(await Promise.all(rows.map((y) => archive.readTile({ z, x, y })))));
  }
  return sample;
}

/** Returns whole numbers from `from` to below `to`, at equal distances. */
function spread(from: number, to: number): number[] {
  const first = Math.floor(from);
  const count = Math.max(1, Math.ceil(to) - first);
  const shown = Math.min(count, SAMPLE_SIDE);
  return Array.from({ length: shown }, (_, i) => first + Math.floor(((i + 0.5) * count) / shown));
}

async function countZips(db: Queryable, bounds: Bbox): Promise<ZipCounts> {
  if (await isBlank(db)) return { zips: 0, covered: 0 };
  const [counts] = await db.query<ZipCounts & Record<string, unknown>>(
    `select count(*)::int as zips,
       (count(*) filter (where bbox && st_makeenvelope($1, $2, $3, $4, 4326)))::int as covered
     from zips where bbox is not null`,
    bounds,
  );
  return counts!;
}

function failureOf(error: NodeJS.ErrnoException, address: string): CheckResult {
  const archive = `The archive ${publicAddress(address)}`;
  if (error instanceof WrongArchiveError) {
    return failed(
      `${archive} ${error.message}`,
      'Extract one from Protomaps’ daily builds. See “Streets” in the guide “Import data”.',
    );
  }
  const isPlain = 'Until then, maps are plain.';
  if (error.path !== undefined) return failed(describeError(error).replace(/\.$/, ''), isPlain);
  const fix = isUrl(address)
    ? 'Check BASEMAP_TILES and its server.'
    : 'Check BASEMAP_TILES. If the file is damaged, copy or extract it again.';
  return failed(`${archive} can’t be read: ${error.message}`, `${fix} ${isPlain}`);
}
