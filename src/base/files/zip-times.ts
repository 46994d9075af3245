/** Sets the times in a ZIP archive, so that the same content gives the same bytes. */

/** Beginnings of the records of an archive (PKWARE's APPNOTE, 4.3.7, 4.3.12, and 4.3.16) */
const ENTRY = 0x02014b50;
const END = 0x06054b50;
const END_BYTES = 22;

/**
 * Changes the time of each file in an archive without comment, of less than 4 GB.
 * @throws Error for other bytes
 */
export function setZipTimes(archive: Uint8Array, time: Date): void {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = archive.byteLength - END_BYTES;
  if (end < 0 || view.getUint32(end, true) !== END)
    throw new Error('these bytes are no ZIP archive');
  const stamp = dosTime(time);
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (view.getUint32(at, true) !== ENTRY) throw new Error('the ZIP archive has no entry there');
    view.setUint32(at + 12, stamp, true);
    view.setUint32(view.getUint32(at + 42, true) + 10, stamp, true);
    const variable = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    at += 46 + variable.reduce((sum, bytes) => sum + bytes, 0);
  }
}

/** The format of MS-DOS, in UTC: the time in the lower 16 bits, with even seconds, and the day in the upper ones */
const dosTime = (time: Date): number =>
  (((time.getUTCFullYear() - 1980) << 25) |
    ((time.getUTCMonth() + 1) << 21) |
    (time.getUTCDate() << 16) |
    (time.getUTCHours() << 11) |
    (time.getUTCMinutes() << 5) |
    (time.getUTCSeconds() >> 1)) >>>
  0;
