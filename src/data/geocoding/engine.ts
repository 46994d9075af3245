/** Addresses, and the kinds of servers that find them. */
import type { Point } from '../market/zip-centers.ts';

/** An address in the United States */
export interface Address extends Point {
  /** `1500 Marilla Street, Dallas, TX` */
  label: string;
}

/** Translates between the search and one kind of server */
export interface GeocodingEngine {
  /** @returns the path of a request and its query */
  path(text: string, limit: number): string;
  /** @throws ServerFailure for an invalid response */
  read(answer: unknown): Address[];
}
