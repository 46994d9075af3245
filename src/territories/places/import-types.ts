/** What an import of places returns. Pure: pages and the command line import it, too. */
import type { PlaceKind } from '../../data/basemap/place-symbols.ts';
import type { UploadResult } from '../own-data/import/types.ts';

/** Where the point of a place comes from: given coordinates, its address, or the middle of its ZIP code */
export type LocatedBy = 'coordinates' | 'address' | 'zip';

/** `left_out` rows aren’t stored. */
export const PLACE_OUTCOMES = ['added', 'changed', 'unchanged', 'left_out'] as const;
export type PlaceOutcome = (typeof PLACE_OUTCOMES)[number];

/** A row that needs attention: it is left out, or something of it is */
export interface PlaceFinding {
  /** Line of a text, row of a sheet, or number of a feature, counted from 1 */
  line: number;
  /** The name in the row, truncated */
  given: string;
  outcome: PlaceOutcome;
  reason: string;
}

/** One of the first rows, as it was read */
export interface ReadPlace extends PlaceFinding {
  kind: PlaceKind | null;
  /** Name of the brand; null: the whole organization */
  brand: string | null;
  locatedBy: LocatedBy | null;
  zip: string | null;
}

export interface PlaceImport extends Pick<UploadResult, 'format' | 'columns' | 'sheets'> {
  stored: boolean;
  /** Sentences on how the file was understood */
  summary: string;
  rows: number;
  counts: Record<PlaceOutcome, number>;
  /** Rows that need attention, in the order of the file */
  findings: PlaceFinding[];
  firstRows: ReadPlace[];
}
