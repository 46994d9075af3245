/** Normalizes names and queries for comparison. Pure. */

/** Abbreviations in the names of places */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  st: 'saint',
  ste: 'sainte',
  ft: 'fort',
  mt: 'mount',
};

/** `St. Paul` → `saint paul`, `Cañon City` → `canon city` */
export function normalizeName(name: string): string {
  return wordsOf(name).map(spellOut).join(' ');
}

/** Like `normalizeName`, but keeps the last word unless a space follows it: `st` may become `Stockton`. */
export function normalizeQuery(query: string): string {
  const words = wordsOf(query);
  const isComplete = /[\s.,]$/.test(query);
  return words
    .map((word, i) => (i < words.length - 1 || isComplete ? spellOut(word) : word))
    .join(' ');
}

const spellOut = (word: string) => ABBREVIATIONS[word] ?? word;

const wordsOf = (text: string) =>
  text
    .normalize('NFD')
    // Accents, and apostrophes within words: `Coeur d'Alene`
    .replaceAll(/[\u0300-\u036f'’`]/g, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** The letters of a text as bits. Texts with different letters can't be similar. */
export function letterBits(text: string): number {
  let bits = 0;
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i) - 97;
    if (letter >= 0 && letter < 26) bits |= 1 << letter;
  }
  return bits;
}

export function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Maximum length of names and queries that are compared */
export const MAX_NAME = 60;

const ROW = MAX_NAME + 8;
/** Three rows: the current one and the previous two */
const cells = new Uint8Array(3 * ROW);

/**
 * Returns the number of typing errors (a letter that is missing, extra, wrong, or swapped with its
 * neighbor) with which a query is the beginning of a name, or the whole name if `isWhole`.
 *
 * Optimal string alignment, see Boytsov: Indexing methods for approximate dictionary searching (2011),
 * section 2.2. Only cells at most `most` away from the diagonal matter, since each step away from it is an
 * error.
 *
 * @returns any number above `most` if there are more errors
 */
export function typingErrors(query: string, name: string, most: number, isWhole = false): number {
  const rows = query.length;
  const columns = Math.min(name.length, rows + most);
  if (columns < rows - most || (isWhole && columns < name.length)) return most + 1;
  const row = (i: number) => (i % 3) * ROW;
  const far = most + 1;
  for (let j = 0; j <= columns; j++) cells[j] = j;
  for (let i = 1; i <= rows; i++) {
    const here = row(i);
    const above = row(i - 1);
    const from = Math.max(1, i - most);
    const to = Math.min(columns, i + most);
    cells[here + from - 1] = from === 1 ? i : far;
    let least = cells[here + from - 1]!;
    for (let j = from; j <= to; j++) {
      const letter = query.charCodeAt(i - 1);
      const other = name.charCodeAt(j - 1);
      const up = j === i + most ? far : cells[above + j]! + 1;
      let errors = Math.min(up, cells[here + j - 1]! + 1);
      errors = Math.min(errors, cells[above + j - 1]! + (letter === other ? 0 : 1));
      const isSwapped =
        i > 1 && j > 1 && letter === name.charCodeAt(j - 2) && other === query.charCodeAt(i - 2);
      if (isSwapped) errors = Math.min(errors, cells[row(i + 1) + j - 2]! + 1);
      cells[here + j] = errors;
      least = Math.min(least, errors);
    }
    if (least > most) return far;
  }
  let best = cells[row(rows) + columns]!;
  if (isWhole) return best;
  for (let j = Math.max(0, rows - most); j < columns; j++) {
    best = Math.min(best, cells[row(rows) + j]!);
  }
  return best;
}
