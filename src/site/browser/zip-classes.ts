/**
 * The classes of all ZIP codes in one text: the character at the position of a ZIP code's number is the index
 * of its class, 0 for the lowest, or `NO_CLASS`. Pure.
 */

export const NO_CLASS = '-';

/** Returns the class of each ZIP code that has one. */
export function readClasses(text: string): Map<string, number> {
  const classes = new Map<string, number>();
  for (let code = 0; code < text.length; code++) {
    const digit = text.charCodeAt(code) - ZERO;
    if (digit >= 0 && digit <= 9) classes.set(String(code).padStart(5, '0'), digit);
  }
  return classes;
}

const ZERO = 0x30;
