/**
 * Questions to the database and the geocoder while a file is read. The worker thread that reads it has no connections,
 * so the service's thread answers.
 */

/** West and south end of a square of one degree */
export type Cell = readonly [west: number, south: number];

/** Areas as the well-known binary of MultiPolygons, one after another */
export interface Areas {
  /** Names of the areas, in the same order */
  names: string[];
  /** Number of bytes of each */
  lengths: number[];
  shapes: Uint8Array;
}

export interface UploadLookUps {
  /** Returns all ZIP codes of the imported data. */
  knownZips(): Promise<string[]>;
  /** Returns why ZIP codes are unknown, as phrases. @param zips at most MAX_FINDINGS, none of them known */
  unknownReasons(zips: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the ZIP codes whose boundary may touch the squares. */
  zipsIn(cells: readonly Cell[]): Promise<string[]>;
  /** Returns their most detailed boundaries. */
  boundaries(zips: readonly string[]): Promise<Areas>;
  /** Returns the areas of the states, which tell points in the country from others. */
  states(): Promise<Areas>;
  /** Finds an address; undefined without a geocoder. @throws ServiceError 503 if the geocoder fails */
  geocode?: ((address: string) => Promise<{ lng: number; lat: number } | null>) | undefined;
}
