/** Searches for places in the current data. */
import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/database.ts';
import type { DatasetName } from '../../db/datasets.ts';
import { importedData, type DataAt } from '../../db/imported-data.ts';
import { unavailable } from '../../errors.ts';
import { indexPlaces, type Place, type PlaceIndex, type PlaceQuery } from './place-index.ts';
import { loadPlaces } from './places.ts';

/** Imported data from which the index is built */
export const SEARCH_DATASETS: readonly DatasetName[] = ['boundaries', 'demographics', 'counties'];

export interface PlaceSearch {
  /** @throws ServiceError 503 before ZIP codes are imported */
  find(db: DataAt, query: PlaceQuery): Promise<Place[]>;
  /** Loads the places of the current data, so that the first search needn't wait for it. */
  load(): Promise<void>;
}

const searches = new WeakMap<Database, PlaceSearch>();

/**
 * Returns the search of a process. It keeps the places in memory until other data is imported.
 *
 * @param db the process's database, with which the places are cached
 */
export function placeSearch(db: Database): PlaceSearch {
  const known = searches.get(db);
  if (known) return known;
  const search = newSearch(db);
  searches.set(db, search);
  return search;
}

/**
 * Measured with 33,791 ZIP codes and 31,400 other places: 0.6 s of CPU to read and index them, 41 MB of
 * memory, and 0.6 to 2.5 ms per query; 6.6 ms for a city with a typing error and a state.
 */
function newSearch(db: Database): PlaceSearch {
  const indexes = new LRUCache<string, PlaceIndex, DataAt>({
    max: 1,
    fetchMethod: async (_stamp, _old, { context: db }) => {
      const places = await loadPlaces(db);
      if (places.length === 0) {
        throw unavailable(
          'The ZIP codes have not been imported yet. Try again after the operator has imported them.',
        );
      }
      return indexPlaces(places);
    },
  });
  const indexAt = (db: DataAt) => indexes.forceFetch(db.stamp, { context: db });
  return {
    find: async (db, query) => (await indexAt(db))(query),
    load: async () => void (await importedData(db, SEARCH_DATASETS).read(indexAt)),
  };
}
