/** JSON that is going to be shown to people, and parts of it as they were sent. */

/** An answer must not command a terminal. */
const CONTROLS = /\p{Cc}+/gu;
const CONTROLS_BUT_LINE_ENDS = /[^\P{Cc}\n]+/gu;

/**
 * Control characters in its texts become spaces.
 * @param lines whether texts may have several lines
 * @returns undefined where it is no JSON
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

/**
 * A part of a document, character by character as it stands there: parsed and written anew, figures
 * may lose digits.
 * @param json well-formed
 * @param path names of members: `['result', 'structuredContent']`
 * @returns undefined where there is no such part
 */
export function rawMember(json: string, path: readonly string[]): string | undefined {
  let depth = 0;
  /** How many names of the path lead to where we are */
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

/** Names with their colon, texts, and what opens, parts and closes. */
const TOKENS = /"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}[\],]/g;
