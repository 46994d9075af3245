/** The content of an exhibit. */
import type { PageSize } from './pages.ts';

export interface ExhibitContent {
  page: PageSize;
  brand: string;
  organization: string;
  /** Look of the brand's maps. A value that isn't set is null. */
  look: { title: string | null; subtitle: string | null; accent: string | null };
  /** PNG, visible on white */
  logo: Buffer | null;
  /** Day that it documents, `2026-11-22`: of the request in UTC, or an earlier one where the organization is */
  day: string;
  /** Short form of the fingerprint */
  reference: string;
  /** As `fingerprintOf` */
  fingerprint: string;
  /** Vintage of the boundaries that define the area, which the fingerprint has, too; null: none do */
  boundaries: string | null;
  totals: readonly Total[];
  maps: readonly ExhibitMap[];
  tables: readonly ExhibitTable[];
  notes: readonly string[];
  /** Datasets with their vintages */
  sources: readonly (readonly [name: string, vintage: string])[];
}

/** What a brand took and gave up since an earlier day */
export interface ExhibitChanges {
  /** The day in words, `December 31, 2025` */
  since: string;
  /** In order */
  zips: readonly ExhibitChange[];
  /** The reason why there are no households; null if there are */
  withheld: string | null;
}

export interface ExhibitChange {
  zip: string;
  isTaken: boolean;
  /** Names of the brands of the organization that it came from or went to */
  others: readonly string[];
  /** Null if unknown */
  households: number | null;
}

export interface Total {
  label: string;
  value: string;
}

export interface ExhibitMap {
  /** Name of the area; null for the whole territory */
  title: string | null;
  /** Description for readers who can't see the map */
  alt: string;
  /** PNG */
  picture: Uint8Array;
}

export interface ExhibitTable {
  title: string;
  text: string;
  columns: readonly Column[];
  rows: number;
  /** Cells of the last row */
  total: readonly Cell[] | null;
  /** Whether it begins a page */
  hasOwnPage?: boolean;
}

export interface Column {
  title: string;
  /** Share of the table's width, in relation to the other columns */
  width: number;
  /** Numbers are aligned to the right. */
  kind: 'text' | 'count' | 'tenths';
}

/** A value. Null means unknown. */
export type Cell = string | number | null;

export type Rows = readonly (readonly Cell[])[];
