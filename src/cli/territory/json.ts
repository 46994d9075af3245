/** JSON that is going to be shown to people. */

/**
 * Control characters in its texts become spaces: an answer must not command a terminal.
 * @returns undefined where it is no JSON
 */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString(), (_key, value: unknown) =>
      typeof value === 'string' ? value.replaceAll(/\p{Cc}+/gu, ' ') : value,
    );
  } catch {
    return undefined;
  }
}
