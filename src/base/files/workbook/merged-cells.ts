/** The merged cells of a sheet: the first one has the text, and the others belong to it. */
import { badRequest } from '../../../errors.ts';
import type { UploadedArchive } from '../uploaded-archive.ts';
import { columnOf } from './xml.ts';

interface Range {
  /** Rows from 1, columns from 0 */
  firstRow: number;
  lastRow: number;
  firstColumn: number;
  lastColumn: number;
}

/** More than one for each of a hundred thousand ZIP codes */
const MAX_RANGES = 200_000;
/** Longer than the element of one range */
const OVERLAP = 200;
const ELEMENT = /<(?:\w+:)?mergeCell\s[^>]*?ref=["']\$?([A-Z]+)\$?(\d+):\$?([A-Z]+)\$?(\d+)["']/g;

export class MergedCells {
  /** In the order of their first rows */
  readonly #ranges: readonly Range[];
  #next = 0;
  /** Those that the last row was in, with their texts */
  #open: { range: Range; text: string }[] = [];

  constructor(ranges: readonly Range[]) {
    this.#ranges = ranges;
  }

  /** Finds the ranges, which a sheet lists below its rows. It isn't parsed for that, which takes ten times as long. */
  static async read(archive: UploadedArchive, path: string, maxBytes: number): Promise<Range[]> {
    const ranges: Range[] = [];
    let rest = '';
    for await (const part of archive.read(path, maxBytes)) {
      const text = rest + part.toString('latin1');
      let end = 0;
      if (text.includes('mergeCell')) {
        for (const match of text.matchAll(ELEMENT)) {
          end = match.index + match[0].length;
          ranges.push(rangeOf(match));
          if (ranges.length > MAX_RANGES) throw tooMany();
        }
      }
      rest = text.slice(Math.max(end, text.length - OVERLAP));
    }
    return ranges.sort((a, b) => a.firstRow - b.firstRow);
  }

  /**
   * Returns the texts of merged cells that start in another cell, by column, or null if there are none. Rows have to come
   * in their order.
   */
  coveredIn(row: number, cells: readonly string[], maxColumns: number): Map<number, string> | null {
    this.#open = this.#open.filter(({ range }) => range.lastRow >= row);
    for (; this.#next < this.#ranges.length; this.#next++) {
      const range = this.#ranges[this.#next]!;
      if (range.firstRow > row) break;
      const text = range.firstRow === row ? (cells[range.firstColumn] ?? '') : '';
      if (range.lastRow >= row && text.trim() !== '') this.#open.push({ range, text });
    }
    if (this.#open.length === 0) return null;
    const covered = new Map<number, string>();
    for (const { range, text } of this.#open) {
      const isFirst = range.firstRow === row;
      const end = Math.min(range.lastColumn, maxColumns - 1);
      for (let column = range.firstColumn + (isFirst ? 1 : 0); column <= end; column++) {
        covered.set(column, text);
      }
    }
    return covered.size === 0 ? null : covered;
  }
}

function rangeOf([, firstColumn, firstRow, lastColumn, lastRow]: RegExpMatchArray): Range {
  return {
    firstRow: Number(firstRow),
    lastRow: Number(lastRow),
    firstColumn: columnOf(firstColumn)!,
    lastColumn: columnOf(lastColumn)!,
  };
}

const tooMany = () =>
  badRequest(
    'The sheet has more than 200,000 merged cells. Unmerge them, or save the sheet as CSV.',
  );
