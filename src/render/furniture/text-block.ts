/** Breaks text into lines. */

/** Returns the width of a text, in pixels. */
export type Measure = (text: string) => number;

/** Breaks a text between words into lines of at most `maxPx`. A wider word gets its own line. */
export function wrapText(text: string, maxPx: number, measure: Measure): string[] {
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

/**
 * Breaks a text into at most `maxLines` lines of at most `maxPx`, and marks omitted text with an ellipsis.
 */
export function truncateText(
  text: string,
  maxPx: number,
  maxLines: number,
  measure: Measure,
): string[] {
  const lines = wrapText(text, maxPx, measure);
  const firstLines = lines.slice(0, maxLines);
  if (lines.length > maxLines) firstLines[maxLines - 1] += '…';
  return firstLines.map((line) => truncateLine(line, maxPx, measure));
}

function truncateLine(line: string, maxPx: number, measure: Measure): string {
  if (measure(line) <= maxPx) return line;
  let letters = [...line.replace(/…$/, '')];
  while (letters.length > 0 && measure(`${letters.join('')}…`) > maxPx)
    letters = letters.slice(0, -1);
  return `${letters.join('').trimEnd()}…`;
}
