/** Adds to each row of a file who serves its place. Runs in a thread. */
import { cellText, type Row } from '../../base/files/rows.ts';
import { readZip } from '../../base/lists/read-zip.ts';
import { csvLine } from '../../base/text/csv.ts';
import type { Gazetteer } from '../../data/market/gazetteer.ts';
import { ServiceError } from '../../errors.ts';
import { chooseColumns } from '../own-data/import/choose-columns.ts';
import type { Columns } from '../own-data/import/columns.ts';
import type { UploadLookUps } from '../own-data/import/look-ups.ts';
import { Placer, type UncertainPlacement } from '../own-data/import/place.ts';
import { startTable, type RowSource } from '../own-data/import/start-table.ts';
import { slotOf, zipOf } from '../own-data/import/tally.ts';
import { Totals } from '../own-data/import/totals.ts';
import type { UploadOptions } from '../own-data/import/types.ts';
import type { Answerer, Located } from './answer.ts';
import { SERVED_COLUMNS, servedCells } from './words.ts';

/** Rows to place at once. Others wait in the file. */
const BATCH = 5_000;

/** Excel recognizes UTF-8 by it. */
const BYTE_ORDER_MARK = '\u{FEFF}';

/**
 * @param lookUps geocoding that fails gives rows its reason, instead of ending the file
 * @param write takes the lines of the next rows
 * @returns the number of rows
 * @throws ServiceError 400 for a file without rows, or without columns that place them
 */
export async function routeRows(
  source: RowSource,
  options: UploadOptions,
  lookUps: UploadLookUps,
  { answer, gazetteer }: { answer: Answerer; gazetteer: Gazetteer },
  write: (lines: string) => Promise<void>,
): Promise<number> {
  const { columns, batches } = await startTable(source, options);
  const addresses = failingSoftly(lookUps.geocode);
  const { places } = chooseColumns(
    columns,
    { ...options, amounts: [{ kind: 'count' }] },
    lookUps.geocode !== undefined,
  );
  const isKnown = new Uint8Array(100_000);
  for (const zip of gazetteer.columns.zips) isKnown[slotOf(zip)] = 1;
  const placer = new Placer(places, new Totals(columns, places.zip), isKnown, {
    ...lookUps,
    geocode: addresses.geocode,
  });
  const width = columns.columns.length;
  const now = new Date();
  const served = (located: Located) => csvLine(servedCells(answer(located, now)));
  /** Many rows have the same ZIP code, and nothing else that matters. */
  const byZip = new Map<string, string>();

  function servedAt(placement: number | UncertainPlacement, at: number): string {
    const point = placer.located.get(at);
    const foundBy = point?.foundBy ?? 'zip';
    const place = zipIn(placement, placer.lostZeros);
    if (place.zip === null) {
      const reason = (foundBy === 'zip' && addresses.failure()) || place.reason;
      return csvLine(SERVED_COLUMNS.map((column) => (column === 'Reason' ? reason : null)));
    }
    const { zip } = place;
    if (point !== undefined) {
      const [lng, lat] = point.point;
      return served({ foundBy, zip, point: { lng, lat } });
    }
    let line = byZip.get(zip);
    if (line === undefined) {
      line = served({ foundBy, zip, point: null });
      byZip.set(zip, line);
    }
    return line;
  }

  await write(BYTE_ORDER_MARK + csvLine([...headingsOf(columns), ...addedHeadings(columns)]));
  let count = 0;
  for await (const batch of batches) {
    for (let start = 0; start < batch.length; start += BATCH) {
      const rows = batch.slice(start, start + BATCH);
      const placements = await placer.place(rows);
      let lines = '';
      for (const [at, row] of rows.entries()) {
        const cells = csvLine(cellsOf(row, width));
        lines += `${cells.slice(0, -2)},${servedAt(placements[at]!, at)}`;
      }
      await write(lines);
      count += rows.length;
    }
  }
  return count;
}

const cellsOf = (row: Row, width: number) =>
  row.cells.length === width && !row.covered
    ? row.cells
    : Array.from({ length: width }, (_, i) => row.cells[i] ?? cellText(row, i));

/** Returns the ZIP code of a placement, or why it has none. */
function zipIn(
  placement: number | UncertainPlacement,
  lostZeros: boolean,
): { zip: string } | { zip: null; reason: string } {
  if (typeof placement === 'number') return { zip: zipOf(placement) };
  const { zip, reason, three } = placement;
  if (three === undefined) return zip === null ? { zip, reason } : { zip };
  const reading = readZip(three, { lostZeros });
  return reading.zip === null ? { zip: null, reason: reading.reason } : { zip: reading.zip };
}

const headingsOf = ({ headings, columns }: Columns) =>
  columns.map(({ name }, i) => headings?.[i] ?? name);

/** Headings that the file already has get an addition. */
function addedHeadings(columns: Columns): string[] {
  const taken = new Set(headingsOf(columns).map((heading) => heading.trim().toLowerCase()));
  return SERVED_COLUMNS.map((heading) =>
    taken.has(heading.toLowerCase()) ? `${heading} (served)` : heading,
  );
}

/** Asks no more once the geocoder has failed: the rows with addresses get the reason. */
function failingSoftly(geocode: UploadLookUps['geocode']) {
  let failure: string | undefined;
  return {
    failure: () => failure,
    geocode:
      geocode &&
      (async (address: string) => {
        if (failure !== undefined) return null;
        try {
          return await geocode(address);
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          failure = error.message;
          return null;
        }
      }),
  };
}
