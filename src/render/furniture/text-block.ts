/** Setting running text into a width. Pure. */

/** Width of a piece of text in pixels */
export type Measure = (text: string) => number;

/** Lines no wider than `maxPx`, broken between words; a word that is wider stands alone. */
export function wrapped(text: string, maxPx: number, measure: Measure): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && measure(longer) > maxPx) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === '' ? lines : [...lines, line];
}

/** At most `maxLines` lines of at most `maxPx`; what is cut off is told by an ellipsis. */
export function ellipsized(
  text: string,
  maxPx: number,
  maxLines: number,
  measure: Measure,
): string[] {
  const lines = wrapped(text, maxPx, measure);
  const shown = lines.slice(0, maxLines);
  if (lines.length > maxLines) shown[maxLines - 1] += '…';
  return shown.map((line) => shortened(line, maxPx, measure));
}

function shortened(line: string, maxPx: number, measure: Measure): string {
  if (measure(line) <= maxPx) return line;
  let letters = [...line.replace(/…$/, '')];
  while (letters.length > 0 && measure(`${letters.join('')}…`) > maxPx)
    letters = letters.slice(0, -1);
  return `${letters.join('').trimEnd()}…`;
}
