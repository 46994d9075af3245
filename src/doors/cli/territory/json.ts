/** Parses JSON for display and extracts parts of it unchanged. */

/** Control characters, which terminals interpret */
const CONTROLS = /\p{Cc}+/gu;
const CONTROLS_BUT_LINE_ENDS = /[^\P{Cc}\n]+/gu;

/**
 * Parses JSON, replacing control characters in strings with spaces.
 * @param lines whether strings keep their line ends
 * @returns undefined for invalid JSON
 */
export function parseJson(bytes: Buffer, { lines = false } = {}): unknown {
  const controls = lines ? CONTROLS_BUT_LINE_ENDS : CONTROLS;
  try {
    return JSON.parse(bytes.toString(), (_key, value: unknown) =>
      typeof value === 'string' ? value.replaceAll(controls, ' ') : value,
    );
  } catch {
    return undefined;
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns one member of a document as its original text. Parsing and serializing it again could
 * change digits of numbers.
 * @param json valid JSON
 * @param path member names: `['result', 'structuredContent']`
 * @returns undefined if the member doesn't exist
 */
export function rawMember(json: string, path: readonly string[]): string | undefined {
  let depth = 0;
  /** Number of names in the path that the current position matches */
  let matched = 0;
  let start: number | undefined;
  for (const { 0: token, index } of json.matchAll(TOKENS)) {
    const closes = token === '}' || token === ']';
    if (matched > 0 && depth === matched && (token === ',' || closes)) {
      return start === undefined ? undefined : json.slice(start, index).trim();
    }
    if (token === '{' || token === '[') depth++;
    else if (closes) depth--;
    else if (start === undefined && depth === matched + 1 && token.endsWith(':')) {
      if (JSON.parse(token.slice(0, -1)) !== path[matched]) continue;
      matched++;
      if (matched === path.length) start = index + token.length;
    }
  }
  return undefined;
}

/** Member names with their colon, strings, brackets, and commas */
const TOKENS = /"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}[\],]/g;
