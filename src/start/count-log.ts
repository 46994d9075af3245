/**
 * Counts that several processes share exactly, without communicating. Each process appends its counts to
 * one file and reads the counts that others have appended. The system orders the appends, and all processes
 * read them in that order, so all of them get the same counts. Appended counts survive the process.
 *
 * A file has a size limit, stated in its first record. Records after the limit don't count, and the next
 * file starts with the current counts. If a process is so late that its next file has been deleted, it
 * starts over with the newest one.
 */
import {
  closeSync,
  constants,
  linkSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Count } from '../metering/limiter.ts';

export interface Addition {
  /** 16 characters of latin1 */
  key: string;
  windowMs: number;
}

export interface CountLog {
  /**
   * Adds one to each count, with one write and one read. @returns the new counts
   * @throws Error if the file can't be written or read
   */
  add(additions: readonly Addition[]): Count[];
  /** The count without reading additions of others since the last read */
  known(key: string): Count | undefined;
  /** Reads the additions of others. */
  catchUp(): void;
  close(): void;
}

export interface CountLogOptions {
  /** Differs between processes that run at the same time */
  writer?: number;
  /** Number of records for which a file has room, besides the counts at its start */
  room?: number;
}

/** Milliseconds on a clock that all processes of a machine share and that is never set back */
export const now = (): number => {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
};

/**
 * A record consists of the key, a time (float64), a number (uint32), and the writer (uint32). An addition
 * has the time and the length of its window. A counter, at the start of a file, has the end of its window,
 * its value, and no writer. The size divides that of a memory page, so a reader never sees half a record.
 */
const RECORD = 32;
const TIME = 16;
const NUMBER = 24;
const WRITER = 28;
const NO_WRITER = 0;
const CHUNK_RECORDS = 2048;

export function openCountLog(
  folder: string,
  { writer = process.pid, room = 262_144 }: CountLogOptions = {},
): CountLog {
  const counts = new Map<string, Count>();
  const chunk = Buffer.alloc(CHUNK_RECORDS * RECORD);
  let file = -1;
  /** The number of the open file, which is also its name */
  let number = 0;
  let position = 0;
  let limit = 0;

  const pathOf = (n: number) => join(folder, String(n));
  /** The numbers of all files, the newest last */
  const numbers = () =>
    readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .toSorted((a, b) => a - b);

  function openNewest(): void {
    for (;;) {
      const newest = numbers().at(-1) ?? create(1);
      try {
        return open(newest);
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error; // deleted meanwhile: there is a newer one
      }
    }
  }

  function open(n: number): void {
    const opened = openSync(pathOf(n), constants.O_RDWR | constants.O_APPEND);
    if (file >= 0) closeSync(file);
    file = opened;
    number = n;
    readSync(file, chunk, 0, RECORD, 0);
    limit = chunk.readUInt32LE(NUMBER) * RECORD;
    position = RECORD;
    counts.clear();
  }

  /** Writes the counts to a new file, unless another process was faster. @returns its number */
  function create(n: number): number {
    const time = now();
    const current = [...counts].filter(([, { end }]) => end > time);
    const size = current.length + 1;
    const start = Buffer.alloc(size * RECORD);
    start.writeUInt32LE(size + Math.max(room, 2 * size), NUMBER);
    for (const [i, [key, { count, end }]] of current.entries()) {
      writeRecord(start, (i + 1) * RECORD, key, end, count);
    }
    const draft = join(folder, `draft-${writer}`);
    writeFileSync(draft, start);
    try {
      linkSync(draft, pathOf(n));
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    rmSync(draft);
    // If this process was suspended for a long time, its file may be older than these. It then isn't
    // opened.
    for (const old of numbers().slice(0, -2)) rmSync(pathOf(old), { force: true });
    return n;
  }

  function append(additions: readonly Addition[]): void {
    const time = now();
    const records = Buffer.allocUnsafe(additions.length * RECORD);
    let at = 0;
    for (const { key, windowMs } of additions) {
      writeRecord(records, at, key, time, windowMs);
      records.writeUInt32LE(writer, at + WRITER);
      at += RECORD;
    }
    writeSync(file, records);
  }

  /**
   * Applies all records up to the end of the newest file.
   * @param own additions of this process, which appear in this order
   * @param counted receives their counts
   */
  function read(own: readonly Addition[], counted: Count[]): void {
    for (;;) {
      const wanted = Math.min(chunk.length, limit - position);
      const received = readSync(file, chunk, 0, wanted, position);
      for (let at = 0; at < received; at += RECORD) apply(at, own, counted);
      position += received;
      if (position === limit) {
        if (numbers().at(-1) === number) create(number + 1);
        openNewest();
      } else if (received < wanted) return;
    }
  }

  function apply(at: number, own: readonly Addition[], counted: Count[]): void {
    const from = chunk.readUInt32LE(at + WRITER);
    const isOwn = from === writer && counted.length < own.length;
    const key = isOwn ? own[counted.length]!.key : chunk.toString('latin1', at, at + TIME);
    const time = chunk.readDoubleLE(at + TIME);
    const value = chunk.readUInt32LE(at + NUMBER);
    let count = counts.get(key);
    if (from === NO_WRITER) counts.set(key, { count: value, end: time });
    else if (count && time < count.end) count.count++;
    else counts.set(key, (count = { count: 1, end: time + value }));
    if (isOwn) counted.push({ ...count! });
  }

  openNewest();
  read([], []);
  return {
    add(additions) {
      const counted: Count[] = [];
      while (counted.length < additions.length) {
        append(additions.slice(counted.length)); // fewer the second time, if the file was full
        read(additions, counted);
      }
      return counted;
    },
    known: (key) => counts.get(key),
    catchUp: () => read([], []),
    close: () => closeSync(file),
  };
}

function writeRecord(into: Buffer, at: number, key: string, time: number, value: number): void {
  into.write(key, at, TIME, 'latin1');
  into.writeDoubleLE(time, at + TIME);
  into.writeUInt32LE(value, at + NUMBER);
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
