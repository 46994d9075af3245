/**
 * A territory as a PDF that a franchise agreement attaches: totals, maps, all ZIP codes with figures,
 * and sources.
 */
import pLimit from 'p-limit';
import type { Caller } from '../../account/caller.ts';
import { MAP_DATASETS } from '../../cartography/zip-map.ts';
import type { Database } from '../../db/database.ts';
import { importedData, type DataAt } from '../../db/imported-data.ts';
import { notFound, unavailable } from '../../errors.ts';
import { letOthersRun } from '../../let-others-run.ts';
import { recordSeenZips } from '../../metering/figures.ts';
import { compiledModule } from '../../paths.ts';
import { threadChannel } from '../../render/pool/channel.ts';
import { LostWorkerError } from '../../render/pool/errors.ts';
import { PoolWorker } from '../../render/pool/pool-worker.ts';
import type { Renderer } from '../../render/renderer.ts';
import type { VerticalSlug } from '../../scoring/verticals.ts';
import type { Brand } from '../brands.ts';
import { bboxOfZips } from '../map-zips.ts';
import { sumsOfZips, totalsOf } from '../zip-facts.ts';
import type { ExhibitContent, RowsQuestion } from './content.ts';
import { drawExhibitMaps, isWide } from './maps.ts';
import { pageSize, type ORIENTATIONS, type Paper } from './pages.ts';
import { fingerprintOf, referenceOf, territoryState, type TerritoryState } from './state.ts';
import { exhibitTables, type TableSource } from './tables.ts';
import { exhibitNotes, exhibitSources, exhibitTotals } from './words.ts';

export interface ExhibitOptions {
  /** Adds its scores; null omits them */
  vertical: VerticalSlug | null;
  paper: Paper;
  /** `auto`: by the shape of the territory */
  orientation: (typeof ORIENTATIONS)[number];
}

export interface Exhibit {
  /** The PDF, in pieces */
  pieces: Uint8Array[];
  reference: string;
  /** `2026-11-22`, in UTC */
  day: string;
}

/** 32,989 ZIP codes take 8 s of CPU for 871 pages, and 280 MB in all. */
const HEAP = { maxYoungGenerationSizeMb: 64, maxOldGenerationSizeMb: 768 };
const DEADLINE_MS = 90_000;
const MAX_RUNNING = 2;
const MAX_WAITING = 8;
const running = pLimit(MAX_RUNNING);

/**
 * Makes the exhibit of a brand. The same state, data, and day give the same bytes.
 * @throws ServiceError 404 for a brand that holds nothing; 402 as `recordSeenZips`; 503 while too many
 *   others wait, or if it takes too long
 */
export async function makeExhibit(
  db: Database,
  renderer: Pick<Renderer, 'render'>,
  caller: Caller,
  brand: Brand,
  options: ExhibitOptions,
  signal?: AbortSignal,
): Promise<Exhibit> {
  if (running.pendingCount >= MAX_WAITING) {
    throw unavailable('Many exhibits are being made right now. Try again in a minute.');
  }
  const late = AbortSignal.timeout(DEADLINE_MS);
  const stop = signal === undefined ? late : AbortSignal.any([signal, late]);
  try {
    return await running(async () => {
      stop.throwIfAborted();
      const state = await territoryState(caller.tenant, brand);
      if (state.live.length + state.pending.length === 0) {
        throw notFound(`${brand.name} holds no ZIP codes yet. Add some, then make the exhibit.`);
      }
      await recordSeenZips(caller, state.live);
      const day = new Date().toISOString().slice(0, 10);
      const source = importedData(db, [...MAP_DATASETS, 'demographics']);
      const pieces = await source.read((data) =>
        layOut(data, renderer, { caller, brand, state, day, ...options }, stop),
      );
      return { pieces, day, reference: referenceOf(fingerprintOf(state)) };
    });
  } catch (error) {
    if (!late.aborted) throw error;
    throw unavailable('The exhibit took too long. Try again later, or divide the brand.', {
      cause: error,
    });
  }
}

interface Subject extends ExhibitOptions {
  caller: Pick<Caller, 'organization' | 'tenant'>;
  brand: Brand;
  state: TerritoryState;
  day: string;
}

async function layOut(
  data: DataAt,
  renderer: Pick<Renderer, 'render'>,
  subject: Subject,
  signal: AbortSignal,
): Promise<Uint8Array[]> {
  const { caller, brand, state, day, vertical } = subject;
  const statuses = new Map<string, 'live' | 'pending'>(
    [
      ...state.live.map((zip) => [zip, 'live'] as const),
      ...state.pending.map(({ zip }) => [zip, 'pending'] as const),
    ].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  await letOthersRun();
  const page = await choosePage(data, statuses.keys(), subject);
  const subjectOfMaps = { brand: brand.name, statuses, page };
  const { maps, missing } = await drawExhibitMaps(data, renderer, subjectOfMaps, signal);
  const totals = totalsOf(await sumsOfZips(data, state.live, vertical));
  const tables = exhibitTables(data, state, totals, vertical, new Set(missing));
  const fingerprint = fingerprintOf(state);
  const content: ExhibitContent = {
    ...{ page, brand: brand.name, organization: caller.organization.name, day },
    ...{ fingerprint, reference: referenceOf(fingerprint), maps },
    totals: exhibitTotals(totals, state, vertical),
    tables: tables.map(({ table }) => table),
    notes: exhibitNotes(day, vertical, missing),
    sources: await exhibitSources(data, vertical),
  };
  return writeInWorker(content, tables, signal);
}

async function choosePage(
  data: DataAt,
  zips: Iterable<string>,
  { paper, orientation }: ExhibitOptions,
) {
  const wide =
    orientation === 'auto' ? isWide(await bboxOfZips(data, zips)) : orientation === 'landscape';
  return pageSize(paper, wide);
}

async function writeInWorker(
  content: ExhibitContent,
  tables: readonly TableSource[],
  signal: AbortSignal,
): Promise<Uint8Array[]> {
  const worker = new PoolWorker<ExhibitContent, Uint8Array[]>(
    threadChannel(compiledModule('territory/exhibit/worker.ts'), HEAP),
    (question) => {
      const { table, from } = question as RowsQuestion;
      return tables[table]!.rowsFrom(from);
    },
  );
  const stop = () => void worker.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    return await worker.run(content);
  } catch (error) {
    if (signal.aborted || !(error instanceof LostWorkerError)) throw error;
    throw unavailable('The exhibit takes too much memory. Divide the brand, and try again.', {
      cause: error,
    });
  } finally {
    signal.removeEventListener('abort', stop);
    void worker.stop();
  }
}
