/** First bytes of the formats that browsers show. SVG is missing because it may name other files. */
const SIGNATURES = {
  png: /^\x89PNG/,
  jpeg: /^\xff\xd8\xff/,
  webp: /^RIFF.{4}WEBP/s,
  avif: /^.{4}ftyp/s,
  gif: /^GIF8/,
};

/** Returns the format of a picture, such as `png`, or null for any other file. */
export function pictureFormat(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return Object.entries(SIGNATURES).find(([, pattern]) => pattern.test(start))?.[0] ?? null;
}
