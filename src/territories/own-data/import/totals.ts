/** Finds the rows of totals that spreadsheets and reporting tools put among the others. Pure. */
import { isZips } from '../../../base/lists/read-zip.ts';
import { cellText, type Row } from '../../../base/files/rows.ts';
import type { Columns } from './columns.ts';

const TOTAL = String.raw`(?:(?:grand|overall|report)\s+)?(?:sub[-\s]?)?totals?(?:\s+result)?`;
/** Other functions of subtotals in Excel and LibreOffice */
const FUNCTION = String.raw`(?:grand\s+)?(?:count|average|max|min|product|sum|std\s?devp?|varp?|result)`;
const LABEL = new RegExp(String.raw`^${TOTAL}\s*:?$`, 'i');
const LABEL_OF_ALL = new RegExp(String.raw`^(?:${TOTAL}|${FUNCTION})\s*:?$`, 'i');
/** Matches `75201 Total`, `75201 Dallas Total`, `75201 Count`, and `Total for ZIP 75201`. */
const LABEL_OF_ZIP = new RegExp(
  String.raw`^\D{0,10}\d{3,5}(?:-\d{4})?\b.{0,40}?\s(?:${TOTAL}|${FUNCTION})\s*:?$|` +
    String.raw`^(?:${TOTAL}|${FUNCTION})[\s:–-]+(?:(?:for|of)\s+)?(?:zip\s+)?(?:code\s+)?\d{3,5}(?:-\d{4})?$`,
  'i',
);
const LABEL_OF_GROUP = new RegExp(String.raw`^(.*\S)\s+${TOTAL}\s*:?$`, 'i');
const MAX_LENGTH = 80;

export class Totals {
  readonly #zip: number | null;
  /** Columns with texts that may be labels of totals, also among numbers, such as years */
  readonly #texts: readonly number[];
  /** Columns that place a row without a ZIP code */
  readonly #otherPlaces: readonly number[];
  /** Whether the file has rows for ZIP codes besides their totals */
  readonly #hasZips: boolean;
  /** Whether totals follow the rows of each ZIP code, which only the first of them may have */
  readonly #isPivot: boolean;
  /** The last text of each column, which names the group of the next total */
  readonly #last = new Map<number, string>();
  #zipAbove: string | null = null;

  constructor(
    {
      rows,
      columns,
      coordinates,
      address,
    }: Pick<Columns, 'rows' | 'columns' | 'coordinates' | 'address'>,
    zip: number | null,
  ) {
    const zips = zip === null ? [] : rows.map((row) => cellText(row, zip));
    this.#zip = zip;
    this.#hasZips = zips.some(isZips);
    this.#isPivot = this.#hasZips && zips.some((cell) => LABEL_OF_ZIP.test(cell));
    this.#texts = columns.flatMap(({ number, content }) => {
      const column = number - 1;
      if (column === zip || content === 'longitude' || content === 'latitude') return [];
      // Where most rows say so, it names what is counted.
      const labels = rows.filter((row) => LABEL.test(cellText(row, column))).length;
      return 2 * labels <= rows.length ? [column] : [];
    });
    this.#otherPlaces = [...(coordinates ? Object.values(coordinates) : []), ...(address ?? [])];
  }

  /** Returns the label of a row of totals, or null for any other row. Rows have to come in the order of the file. */
  labelOf(row: Row): string | null {
    const zip = this.#zip === null ? '' : cellText(row, this.#zip);
    const label = this.#zipLabel(zip) ?? this.#textLabel(row, zip);
    if (label !== null) this.#zipAbove = null;
    else if (zip !== '') this.#zipAbove = zip;
    return label;
  }

  /** Returns the ZIP code above a row without one, if totals show that the rows belong together. */
  zipAbove(): string | null {
    return this.#isPivot ? this.#zipAbove : null;
  }

  #zipLabel(zip: string): string | null {
    if (zip.length < 3 || zip.length > MAX_LENGTH || !/[a-z]/i.test(zip)) return null;
    return LABEL_OF_ALL.test(zip) || (this.#hasZips && LABEL_OF_ZIP.test(zip)) ? zip : null;
  }

  #textLabel(row: Row, zip: string): string | null {
    let found: string | null = null;
    for (const column of this.#texts) {
      const text = cellText(row, column);
      if (text === '' || text.length > MAX_LENGTH) continue;
      const hasPlace = zip !== '' || this.#otherPlaces.some((at) => cellText(row, at) !== '');
      if (/total/i.test(text) && this.#isLabel(text, column, hasPlace)) found ??= text;
      else this.#last.set(column, text);
    }
    return found;
  }

  #isLabel(text: string, column: number, hasPlace: boolean): boolean {
    if (LABEL.test(text)) return true;
    const [, group] = LABEL_OF_GROUP.exec(text) ?? [];
    if (group === undefined) return false;
    const isOfLast = group.toLowerCase() === this.#last.get(column)?.toLowerCase();
    return isOfLast || !hasPlace;
  }
}
