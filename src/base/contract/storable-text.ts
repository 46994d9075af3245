/** Finds text that the database can't store: U+0000, and halves of surrogate pairs. */

/** Says what is wrong with a text; undefined if it can be stored. */
export function unstorableCharacter(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the character U+0000';
  return /\p{Cs}/u.test(text) ? 'must not contain half of a surrogate pair' : undefined;
}

/** `['brand must not contain the character U+0000']`, for all texts in a value, with their paths */
export function listUnstorable(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value === 'string') {
    const problem = unstorableCharacter(value);
    return problem === undefined ? [] : [`${path.join('.') || 'it'} ${problem}`];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const problem = unstorableCharacter(name);
    return problem === undefined
      ? listUnstorable(member, [...path, name])
      : [`a field name in ${path.join('.') || 'it'} ${problem}`];
  });
}
