/** Gathers the content of an exhibit, draws its maps, and lays it out. Runs in a worker. */
import type { Queryable } from '../../../base/db/database.ts';
import { readDatasets } from '../../../base/db/datasets.ts';
import type { QueryQuestion } from '../../../base/db/remote-queries.ts';
import type { ZipMapRequest } from '../../../maps/cartography/zip-map.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import type { VerticalSlug } from '../../../data/scoring/verticals.ts';
import { logoOn } from '../../../maps/cartography/brand-look.ts';
import type { Pin } from '../../../maps/cartography/place-pins.ts';
import type { Branding } from '../branding.ts';
import { bboxOfZips } from '../map-zips.ts';
import { sumsOfZips, totalsOf } from '../zip-facts.ts';
import type { ExhibitChanges, ExhibitContent } from './content.ts';
import { drawExhibitMaps, isWide } from './maps.ts';
import { pageSize, type ORIENTATIONS, type Paper } from './pages.ts';
import { fingerprintOf, referenceOf, type ExhibitTerms, type TerritoryState } from './state.ts';
import type { FullDataSet } from '../../own-data/data-sets.ts';
import { exhibitTables } from './tables.ts';
import { exhibitNotes, exhibitSources, exhibitTotals } from './words.ts';
import { writePdf } from './write-pdf.ts';

const WHITE = '#ffffff';

export interface ExhibitOptions {
  /** Vertical of the scores; null omits scores */
  vertical: VerticalSlug | null;
  paper: Paper;
  /** `auto`: depends on the shape of the territory */
  orientation: (typeof ORIENTATIONS)[number];
  /** Data sets to add as columns */
  data: readonly FullDataSet[];
  /** Places to show on the maps */
  pins: readonly Pin[];
  /** Changes to list on a page of their own */
  changes: ExhibitChanges | null;
  /** Whether it states that the boundaries of the day define the area, whatever later changes */
  fixedBoundaries: boolean;
}

export interface MadeExhibit {
  /** The PDF */
  pieces: Uint8Array[];
  reference: string;
}

export interface ExhibitJob extends ExhibitOptions {
  /** Names for people */
  organization: string;
  brand: string;
  look: Branding;
  state: TerritoryState;
  terms: ExhibitTerms;
  /** `2026-11-22` */
  day: string;
  /** The moment in words, after "the territory": `on 2026-11-22 (UTC)` */
  when: string;
}

/** A query, or a map to draw */
export type ExhibitQuestion = QueryQuestion | { map: ZipMapRequest };

export async function layOut(
  db: Queryable,
  renderer: Pick<MapRenderer, 'drawMap'>,
  job: ExhibitJob,
): Promise<MadeExhibit> {
  const { organization, brand, state, day, when, vertical, data, pins, changes, terms } = job;
  const statuses = new Map<string, 'live' | 'pending'>(
    [
      ...state.live.map((zip) => [zip, 'live'] as const),
      ...state.pending.map(({ zip }) => [zip, 'pending'] as const),
    ].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const page = await choosePage(db, statuses.keys(), job);
  const { maps, missing, unlabeled } = await drawExhibitMaps(db, renderer, {
    brand,
    statuses,
    page,
    pins,
  });
  const totals = totalsOf(await sumsOfZips(db, state.live, vertical));
  const tables = exhibitTables(db, state, totals, vertical, new Set(missing), {
    data,
    terms,
    changes,
  });
  const vintage = (await readDatasets(db)).get('boundaries')?.vintage ?? null;
  const boundaries = job.fixedBoundaries ? vintage : null;
  const fingerprint = fingerprintOf(state, boundaries);
  const reference = referenceOf(fingerprint);
  const content: ExhibitContent = {
    page,
    brand,
    organization,
    day,
    look: job.look,
    logo: job.look.logo && (await logoOn(Buffer.from(job.look.logo), WHITE)),
    fingerprint,
    reference,
    maps,
    totals: exhibitTotals(totals, state, vertical),
    tables: tables.map(({ table }) => table),
    boundaries,
    notes: exhibitNotes(when, vertical, { missing, unlabeled }, terms.size > 0, boundaries),
    sources: await exhibitSources(db, vertical),
  };
  const pieces = await writePdf(content, (table, from) => tables[table]!.rowsFrom(from));
  return { pieces, reference };
}

async function choosePage(
  db: Queryable,
  zips: Iterable<string>,
  { paper, orientation }: ExhibitOptions,
) {
  const wide =
    orientation === 'auto' ? isWide(await bboxOfZips(db, zips)) : orientation === 'landscape';
  return pageSize(paper, wide);
}
