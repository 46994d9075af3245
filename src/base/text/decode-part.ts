/** Decodes the percent-escapes of a part of an address. @returns undefined if one of them is malformed */
export function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
