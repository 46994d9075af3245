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
  /** Day of the request in UTC, `2026-11-22` */
  day: string;
  /** Short form of the fingerprint */
  reference: string;
  /** SHA-256 of the live and pending ZIP codes, in hexadecimal */
  fingerprint: string;
  totals: readonly Total[];
  maps: readonly ExhibitMap[];
  tables: readonly ExhibitTable[];
  notes: readonly string[];
  /** Datasets with their vintages */
  sources: readonly (readonly [name: string, vintage: string])[];
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
