/** Reads what maps show: imported data, and the streets of one version. */
import {
  importedData,
  untilUnchanged,
  OtherVersionError,
  type DataAt,
  type DataVersion,
  type ImportedData,
} from '../../base/db/imported-data.ts';
import type { Datasets } from '../../base/db/datasets.ts';
import type { Queryable } from '../../base/db/queryable.ts';
import type { StreetsFacts } from '../../data/streets/archive.ts';
import { streetsAt, type StreetsAt } from '../../data/streets/streets-at.ts';
import type { Streets } from '../../data/streets/streets.ts';

/** Where layouts are kept. Losing one costs only time, so neither call fails. */
export interface Layouts {
  read(name: string): Promise<Uint8Array | null>;
  keep(name: string, content: Uint8Array): Promise<void>;
}

/** The reads of a map. Reads without a stamp are of no known version. */
export interface MapData extends Queryable {
  stamp?: string;
  datasets?: Datasets;
  /** Default: maps are plain */
  streets?: StreetsAt | undefined;
  /** Default: each thread keeps its own layouts */
  layouts?: Layouts;
}

/** Separates the stamp of the imported data from the version of the streets */
const SEPARATOR = ' streets=';

/**
 * Like `importedData`, with the version of the streets in its stamp, so that a picture is kept only while the streets in
 * it are current.
 *
 * @param streets null: the service has none, and stamps are those of the imported data
 */
export function mapData(
  db: Parameters<typeof importedData>[0],
  streets: Streets | null,
  ...lists: DataVersion['lists']
): ImportedData {
  const data = importedData(db, ...lists);
  if (streets === null) return data;
  const stamp = async () => (await data.stamp()) + SEPARATOR + (streets.current()?.version ?? '');
  const at = (stamp: string): DataAt & MapData => {
    const [imported, version] = stamp.split(SEPARATOR);
    const reads = data.at(imported!);
    const current = streets.current();
    if (version === '') return { ...reads, stamp };
    // A map without reads would be plain under this stamp.
    if (current?.version !== version) throw new OtherVersionError();
    return { ...reads, stamp, streets: streetsOf(streets, current) };
  };
  return { stamp, at, read: (work) => untilUnchanged(stamp, (stamp) => work(at(stamp))) };
}

/** The streets for maps that this thread draws */
const streetsOf = (streets: Streets, archive: StreetsFacts): StreetsAt =>
  streetsAt(factsOf(archive), {
    read: (version, tiles) => streets.readTiles(version, tiles),
    reportDamaged: (tile) => streets.reportDamaged(tile),
  });

/** Plain data, for messages to workers */
export const factsOf = ({
  version,
  minZoom,
  maxZoom,
  bounds,
  attribution,
  sourceLayers,
}: StreetsFacts): StreetsFacts => ({
  version,
  minZoom,
  maxZoom,
  bounds,
  attribution,
  sourceLayers,
});
