/** Reads the rows of a file: understands its columns, places each row, and adds up amounts. */
import { readZip } from '../../../base/lists/read-zip.ts';
import { cellText, type Row } from '../../../base/files/rows.ts';
import { asSentence, pluralize, truncateInput } from '../../../base/text/words.ts';
import { readAmount } from './amount.ts';
import type { UploadLookUps } from './look-ups.ts';
import { Placer, type UncertainPlacement } from './place.ts';
import { chooseColumns, skippedNote, type ColumnChoices } from './choose-columns.ts';
import { sizeNote, startTable, tooManyRows, type RowSource } from './start-table.ts';
import { copied, slotOf, Tally, zipOf } from './tally.ts';
import { Totals } from './totals.ts';
import type { ReadRow, RowFinding, RowOutcome, UploadOptions, UploadResult } from './types.ts';

/** More would make a long page and a large file of findings. */
export const MAX_FINDINGS = 10_000;

/** Rows to show as they were read */
const FIRST_ROWS = 10;

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
  const { columns, batches } = await startTable(source, options);
  const choices = chooseColumns(columns, options, lookUps.geocode !== undefined);
  const isKnown = new Uint8Array(100_000);
  for (const zip of await lookUps.knownZips()) isKnown[slotOf(zip)] = 1;
  const totals = new Totals(columns, choices.places.zip);
  const placer = new Placer(choices.places, totals, isKnown, lookUps);
  const counter = new RowCounter(choices, columns.columns.length, limits.rows);

  for await (const batch of batches) {
    for (let at = 0; at < batch.length; at += BATCH) {
      const rows = batch.slice(at, at + BATCH);
      counter.add(rows, await placer.place(rows));
    }
  }
  counter.settleThree(placer.lostZeros, isKnown);
  await counter.explainUnknown(lookUps);
  const { format, sheets } = source;
  const { counts, rows } = counter;
  return {
    format,
    sheets,
    counts,
    rows,
    columns: columns.columns,
    used: choices.used,
    summary: [
      sizeNote(format, rows),
      source.note,
      ...choices.notes,
      skippedNote(columns),
      counts.total === 0 ? '' : `Left out ${pluralize(counts.total, 'row')} of totals.`,
      placer.fallbacks === 0
        ? ''
        : `${pluralize(placer.fallbacks, 'row')} without ${choices.places.zip === null ? 'coordinates' : 'a ZIP code'} ` +
          `${placer.fallbacks === 1 ? 'was' : 'were'} placed by another column.`,
    ]
      .filter((part) => part !== '')
      .join(' '),
    findings: counter.findings.map(({ three: _, ...finding }) => finding),
    firstRows: counter.firstRows(),
    sets: counter.tally.sets(),
  };
}

const COUNTS_ABOVE = 'The amount is in a merged cell, which counts for its first row.';

/** Outcomes of rows whose amounts count */
const COUNTED: ReadonlySet<RowOutcome> = new Set(['placed', 'guessed', 'no_amount']);

class RowCounter {
  readonly counts: Record<RowOutcome, number> = {
    placed: 0,
    guessed: 0,
    no_amount: 0,
    total: 0,
    unknown_zip: 0,
    outside_country: 0,
    not_understood: 0,
  };
  readonly findings: (RowFinding & { three?: string | undefined })[] = [];
  readonly tally: Tally;
  rows = 0;
  readonly #first: { row: Row; slot: number; amounts: (number | null)[] }[] = [];
  readonly #width: number;
  readonly #amounts: ColumnChoices['amounts'];
  readonly #groupBy: number | null;
  readonly #maxRows: number;
  /** Numbers of rows with three digits, by their digits and outcome */
  readonly #threes = new Map<string, { guessed: number; no_amount: number }>();

  constructor({ amounts, groupBy, used }: ColumnChoices, width: number, maxRows: number) {
    this.#width = width;
    this.#amounts = amounts;
    this.#groupBy = groupBy;
    this.#maxRows = maxRows;
    this.tally = new Tally(used.amounts);
    // Without groups, there is a set even if no row has a place.
    if (groupBy === null) this.tally.group(null);
  }

  add(rows: readonly Row[], placements: readonly (number | UncertainPlacement)[]): void {
    this.rows += rows.length;
    if (this.rows > this.#maxRows) throw tooManyRows(this.#maxRows, ', or add up its rows first');
    for (const [i, row] of rows.entries()) this.#addRow(row, placements[i]!);
  }

  #addRow(row: Row, placement: number | UncertainPlacement): void {
    const { line, cells, covered } = row;
    const uncertain = typeof placement === 'number' ? null : placement;
    const slot = typeof placement === 'number' ? placement : placement.slot;
    const first = { row, slot: slot ?? NaN, amounts: this.#amounts.map((): number | null => null) };
    if (this.#first.length < FIRST_ROWS) this.#first.push(first);
    if (slot === null) {
      const { outcome, given, zip, reason } = uncertain!;
      this.counts[outcome]++;
      this.#report({ line, given, zip, outcome, reason });
      return;
    }
    const totals = this.#groupBy === null ? this.tally.group(null) : this.#group(row);
    let problem: { given: string; reason: string } | null = null;
    for (const [i, source] of this.#amounts.entries()) {
      const { sums, rows } = totals[i]!;
      if (source !== null) {
        const cell = cells[source.column] ?? '';
        const amount = readAmount(cell, source.form);
        if (typeof amount === 'string') {
          const isAbove = cell === '' && covered?.has(source.column);
          const reason = isAbove ? COUNTS_ABOVE : amount;
          problem ??= { given: truncateInput(cell.trim()), reason };
          continue;
        }
        sums[slot]! += amount;
        first.amounts[i] = amount;
      } else first.amounts[i] = 1;
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

  /** Returns the first rows, once their findings are settled. */
  firstRows(): ReadRow[] {
    return this.#first.map(({ row, slot, amounts }) => {
      const found = this.findings.find(({ line }) => line === row.line);
      const { outcome = 'placed', reason = '' } = found ?? {};
      const isCounted = COUNTED.has(outcome);
      return {
        line: row.line,
        zip: found ? found.zip : zipOf(slot),
        outcome,
        reason,
        amounts: isCounted ? amounts : amounts.map(() => null),
        cells: Array.from({ length: this.#width }, (_, i) => truncateInput(cellText(row, i))),
      };
    });
  }

  #report(finding: RowCounter['findings'][number]): void {
    if (this.findings.length >= MAX_FINDINGS) return;
    this.findings.push({ ...finding, given: copied(finding.given) });
  }

  /** Returns the place of the row's group. The first spelling of a group is its name. */
  #group(row: Row) {
    const name = cellText(row, this.#groupBy!).replaceAll(/\s+/g, ' ');
    return this.tally.group(copied(name.toLowerCase()), truncateInput(name) || 'Without a group');
  }

  /** Reads three digits as a ZIP code that lost two zeros, if others of the file lost one. */
  settleThree(lostZeros: boolean, isKnown: Uint8Array): void {
    const settled = new Map<string, Pick<RowFinding, 'outcome' | 'zip' | 'reason'> | null>();
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
