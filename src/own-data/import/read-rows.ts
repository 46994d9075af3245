/** Reads the rows of a file: understands its columns, places each row, and adds up amounts. */
import { badRequest } from '../../errors.ts';
import { truncateInput } from '../../lists/finding.ts';
import { readZip } from '../../lists/read-zip.ts';
import { SAMPLE_LINES, type Row } from '../../lists/rows.ts';
import { asSentence, formatCount, pluralize } from '../../text/words.ts';
import { readAmount } from './amount.ts';
import { findColumns } from './columns.ts';
import type { UploadLookUps } from './look-ups.ts';
import { Placer, type UncertainPlacement } from './place.ts';
import { planReading, skippedNote } from './plan.ts';
import { copied, slotOf, Tally, zipOf } from './tally.ts';
import type { Finding, Outcome, UploadOptions, UploadResult } from './types.ts';

/** The rows of a file as they arrive, with the titles and headings above them */
export interface RowSource {
  format: UploadResult['format'];
  /** Names of a workbook's sheets */
  sheets: readonly string[];
  /** A sentence on what is read, such as the sheet */
  note: string;
  /** Whether the first row has headings for sure */
  isHeaded: boolean;
  rows: AsyncIterable<Row[]>;
}

/** More would make a long page and a large file of findings. */
export const MAX_FINDINGS = 10_000;

/** Rows to place at once. Others wait in the file. */
const BATCH = 5_000;

/**
 * @throws ServiceError 400 for a file without rows or places, or with too many rows; 503 if the geocoder fails
 */
export async function readRows(
  source: RowSource,
  options: UploadOptions,
  lookUps: UploadLookUps,
  limits: { rows: number },
): Promise<UploadResult> {
  const batches = source.rows[Symbol.asyncIterator]();
  const first: Row[] = [];
  while (first.length < SAMPLE_LINES) {
    const next = await batches.next();
    if (next.done) break;
    for (const row of next.value) first.push(row);
  }
  const sample = first.slice(0, SAMPLE_LINES);
  if (sample.length === 0) throw badRequest('The file is empty. Give at least one row.');
  const columns = findColumns(sample, options, source.isHeaded);
  if (columns.rows.length === 0) {
    throw badRequest('The file has headings, but no rows below them. Add at least one.');
  }
  const plan = planReading(columns, options, lookUps.geocode !== undefined);
  const isKnown = new Uint8Array(100_000);
  for (const zip of await lookUps.knownZips()) isKnown[slotOf(zip)] = 1;
  const placer = new Placer(plan.places, isKnown, lookUps);
  const counter = new RowCounter(plan, limits.rows);

  let batch: Row[] | undefined = first.slice(columns.skipped);
  for (;;) {
    for (let at = 0; at < batch.length; at += BATCH) {
      const rows = batch.slice(at, at + BATCH);
      counter.add(rows, await placer.place(rows));
    }
    const next = await batches.next();
    if (next.done) break;
    batch = next.value;
  }
  counter.settleThree(placer.lostZeros, isKnown);
  await counter.explainUnknown(lookUps);
  const { format, sheets } = source;
  const { counts, rows } = counter;
  return {
    ...{ format, sheets, counts, rows, columns: columns.columns, used: plan.used },
    summary: [
      `${LABELS[format]} with ${pluralize(rows, 'row')}.`,
      source.note,
      ...plan.notes,
      skippedNote(columns),
      placer.fallbacks === 0
        ? ''
        : `${pluralize(placer.fallbacks, 'row')} without ${plan.places.zip === null ? 'coordinates' : 'a ZIP code'} ` +
          `${placer.fallbacks === 1 ? 'was' : 'were'} placed by another column.`,
    ]
      .filter((part) => part !== '')
      .join(' '),
    findings: counter.findings.map(({ three: _, ...finding }) => finding),
    sets: counter.tally.sets(),
  };
}

const LABELS = { csv: 'Table', xlsx: 'Workbook', geojson: 'GeoJSON' } as const;

class RowCounter {
  readonly counts: Record<Outcome, number> = {
    ...{ placed: 0, guessed: 0, no_amount: 0 },
    ...{ unknown_zip: 0, outside_country: 0, not_understood: 0 },
  };
  readonly findings: (Finding & { three?: string | undefined })[] = [];
  readonly tally: Tally;
  rows = 0;
  readonly #amounts: readonly (number | null)[];
  readonly #groupBy: number | null;
  readonly #maxRows: number;
  /** Numbers of rows with three digits, by their digits and outcome */
  readonly #threes = new Map<string, { guessed: number; no_amount: number }>();

  constructor({ amounts, groupBy, used }: ReturnType<typeof planReading>, maxRows: number) {
    this.#amounts = amounts;
    this.#groupBy = groupBy;
    this.#maxRows = maxRows;
    this.tally = new Tally(used.amounts);
    // Without groups, there is a set even if no row has a place.
    if (groupBy === null) this.tally.group(null);
  }

  add(rows: readonly Row[], placements: readonly (number | UncertainPlacement)[]): void {
    this.rows += rows.length;
    if (this.rows > this.#maxRows) {
      throw badRequest(
        `The file has more than ${formatCount(this.#maxRows)} rows, the maximum for one upload. Split it up, or add up its rows first.`,
      );
    }
    for (const [i, row] of rows.entries()) this.#addRow(row, placements[i]!);
  }

  #addRow({ line, cells }: Row, placement: number | UncertainPlacement): void {
    const uncertain = typeof placement === 'number' ? null : placement;
    const slot = typeof placement === 'number' ? placement : placement.slot;
    if (slot === null) {
      const { outcome, given, zip, reason } = uncertain!;
      this.counts[outcome]++;
      this.#report({ line, given, zip, outcome, reason });
      return;
    }
    const totals = this.#groupBy === null ? this.tally.group(null) : this.#group(cells);
    let problem: { given: string; reason: string } | null = null;
    for (const [i, column] of this.#amounts.entries()) {
      const { sums, rows } = totals[i]!;
      if (column !== null) {
        const cell = cells[column] ?? '';
        const amount = readAmount(cell);
        if (typeof amount === 'string') {
          problem ??= { given: truncateInput(cell.trim()), reason: amount };
          continue;
        }
        sums[slot]! += amount;
      }
      rows[slot]!++;
    }
    const outcome = problem ? 'no_amount' : uncertain ? 'guessed' : 'placed';
    this.counts[outcome]++;
    if (outcome === 'placed') return;
    const three = uncertain?.three;
    if (three !== undefined) {
      const some = this.#threes.get(three) ?? { guessed: 0, no_amount: 0 };
      some[outcome]++;
      this.#threes.set(three, some);
    }
    const reason = [problem?.reason, uncertain?.reason].filter(Boolean).join(' ');
    const zip = uncertain ? uncertain.zip : zipOf(slot);
    this.#report({ line, given: (problem ?? uncertain!).given, zip, outcome, reason, three });
  }

  #report(finding: RowCounter['findings'][number]): void {
    if (this.findings.length >= MAX_FINDINGS) return;
    this.findings.push({ ...finding, given: copied(finding.given) });
  }

  /** Returns the place of the row's group. The first spelling of a group is its name. */
  #group(cells: readonly string[]) {
    const name = (cells[this.#groupBy!] ?? '').trim().replaceAll(/\s+/g, ' ');
    return this.tally.group(copied(name.toLowerCase()), truncateInput(name) || 'Without a group');
  }

  /** Reads three digits as a ZIP code that lost two zeros, if others of the file lost one. */
  settleThree(lostZeros: boolean, isKnown: Uint8Array): void {
    const settled = new Map<string, Pick<Finding, 'outcome' | 'zip' | 'reason'> | null>();
    for (const [three, rows] of this.#threes) {
      const { zip, reason } = readZip(three, { lostZeros });
      const keep = zip !== null && isKnown[slotOf(zip)] === 1;
      this.tally.settleThree(three, keep);
      if (keep) settled.set(three, { outcome: 'guessed', zip, reason: reason! });
      else {
        const outcome = zip === null ? 'not_understood' : 'unknown_zip';
        settled.set(three, { outcome, zip, reason: zip === null ? reason! : '' });
        this.counts[outcome] += rows.guessed + rows.no_amount;
        this.counts.guessed -= rows.guessed;
        this.counts.no_amount -= rows.no_amount;
      }
    }
    for (const finding of this.findings) {
      const now = finding.three === undefined ? null : settled.get(finding.three)!;
      if (now === null) continue;
      const isAmount = finding.outcome === 'no_amount' && now.outcome === 'guessed';
      Object.assign(finding, isAmount ? { zip: now.zip } : now);
      if (!isAmount) finding.given = finding.three!;
    }
  }

  /** Says why ZIP codes are unknown. */
  async explainUnknown(lookUps: UploadLookUps): Promise<void> {
    const unexplained = this.findings.filter(
      ({ outcome, reason }) => outcome === 'unknown_zip' && reason === '',
    );
    if (unexplained.length === 0) return;
    const zips = [...new Set(unexplained.map(({ zip }) => zip!))];
    const reasons = await lookUps.unknownReasons(zips);
    for (const finding of unexplained) finding.reason = asSentence(reasons.get(finding.zip!)!);
  }
}
