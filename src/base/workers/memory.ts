/**
 * The memory of the service: one budget, `MEMORY_MB`, and what each part may take. What doesn't fit waits for its turn,
 * or is refused with a sentence. The embedded database takes its part first. Each process gets an equal part of what is
 * left, and divides it:
 *
 * | Part             | Size                                                  | At least | At most |
 * | ---------------- | ----------------------------------------------------- | -------- | ------- |
 * | `databaseMb`     | 40%, and none without the embedded database           | 384 MB   | 640 MB  |
 * | `programMb`      | Node, the code, and requests in progress              | 150 MB   | 150 MB  |
 * | `cacheMb`        | an eighth of the rest                                 | 24 MB    | 1 GB    |
 * | `drawingMb`      | a third of the rest, divided among `drawingThreads`   | 128 MB   | 384 MB  |
 * | `jobsMb`         | what is left: threads for files, exhibits, and designs | 128 MB   |         |
 *
 * Threads read it from the environment data that they inherit.
 */
import { totalmem } from 'node:os';
import { getEnvironmentData, setEnvironmentData, type ResourceLimits } from 'node:worker_threads';

const MB = 2 ** 20;
const DATABASE = { share: 0.4, least: 384, most: 640 };
/** Node and the compiled code of the embedded database's process, and answers that it sends */
const DATABASE_PROCESS_MB = 200;
const PROGRAM_MB = 150;
const CACHE = { share: 1 / 8, least: 24, most: 1024 };
const DRAWING = { share: 1 / 3, least: 128, most: 384 };
const LEAST_JOBS_MB = 128;
/** More threads for pictures than this only help on machines with more cores. */
export const USUAL_DRAWING_THREADS = 2;

export interface Budget {
  megabytes: number;
  /** Where the number comes from */
  from: 'MEMORY_MB' | 'container' | 'machine';
}

export interface MemoryShares extends Budget {
  processes: number;
  databaseMb: number;
  /** Of each process, as all further parts */
  programMb: number;
  cacheMb: number;
  /** Of each drawing thread */
  drawingMb: number;
  drawingThreads: number;
  jobsMb: number;
}

/** The system needs the rest. */
const MACHINE_SHARE = 0.9;

/** Returns the setting. Default: the limit of the container or, if that is larger or there is none, most of the machine's memory. */
export function memoryBudget(
  memoryMb: number | undefined,
  limit = process.constrainedMemory(),
  machine = totalmem(),
): Budget {
  if (memoryMb !== undefined) return { megabytes: memoryMb, from: 'MEMORY_MB' };
  // Node reports no limit as 0, or as a number that no machine has.
  return limit > 0 && limit < machine
    ? { megabytes: Math.floor(limit / MB), from: 'container' }
    : { megabytes: Math.floor((MACHINE_SHARE * machine) / MB), from: 'machine' };
}

interface Parts {
  /** Whether the service starts the embedded database */
  embedded: boolean;
  processes: number;
  /** Default: two, or one where two don't fit */
  drawingThreads: number | undefined;
}

const within = (size: number, { least, most }: { least: number; most: number }) =>
  Math.floor(Math.min(most, Math.max(least, size)));

/** Divides a budget. @returns null for one that is too small */
export function divideMemory(budget: Budget, parts: Parts): MemoryShares | null {
  const { megabytes } = budget;
  if (megabytes < leastMemoryMb(parts)) return null;
  const databaseMb = parts.embedded ? within(megabytes * DATABASE.share, DATABASE) : 0;
  const rest = Math.floor((megabytes - databaseMb) / parts.processes) - PROGRAM_MB;
  const fitting = Math.max(1, Math.floor((rest * DRAWING.share) / DRAWING.least));
  const drawingThreads = parts.drawingThreads ?? Math.min(USUAL_DRAWING_THREADS, fitting);
  const drawingMb = within((rest * DRAWING.share) / drawingThreads, DRAWING);
  const others = rest - drawingThreads * drawingMb;
  const cacheMb = within(Math.min(rest * CACHE.share, others - LEAST_JOBS_MB), CACHE);
  const jobsMb = others - cacheMb;
  const { processes } = parts;
  const drawing = { drawingMb, drawingThreads };
  return { ...budget, processes, databaseMb, programMb: PROGRAM_MB, cacheMb, ...drawing, jobsMb };
}

/** The smallest budget that has room for every part */
export function leastMemoryMb({ embedded, processes, drawingThreads = 1 }: Parts): number {
  const each = PROGRAM_MB + CACHE.least + drawingThreads * DRAWING.least + LEAST_JOBS_MB;
  return (embedded ? DATABASE.least : 0) + processes * each;
}

const KEY = 'memory';

/** Sets the shares of this process and of the threads that it starts. */
export const shareMemory = (shares: MemoryShares): void => setEnvironmentData(KEY, shares);

/** For commands and the rendering library, which don't read the setting */
const USUAL = divideMemory(
  { megabytes: 8192, from: 'machine' },
  { embedded: true, processes: 1, drawingThreads: undefined },
)!;

export const memoryShares = () => (getEnvironmentData(KEY) as MemoryShares | undefined) ?? USUAL;

/** What PostgreSQL may take in the process of the embedded database: at first 128 MB */
export const postgresMb = () => memoryShares().databaseMb - DATABASE_PROCESS_MB;

/**
 * Returns the heap limits of a thread that may take this much. Buffers and WebAssembly memories aren't limited. A job
 * that needs more ends its thread, not the service. The lower the limit of the old generation, the less garbage it
 * keeps. At 2 GB, that would be four times what is in use.
 */
export function heapOf(megabytes: number, mostYoungMb = 64): ResourceLimits {
  const maxYoungGenerationSizeMb = Math.min(mostYoungMb, Math.ceil(megabytes / 8));
  return { maxYoungGenerationSizeMb, maxOldGenerationSizeMb: megabytes - maxYoungGenerationSizeMb };
}

/**
 * Of drawing threads. With 2 GB, a process took 150 MB more after 60 pictures, and 8% less CPU. With half of the young
 * memory, it would take more CPU.
 */
export const drawingHeap = () => heapOf(memoryShares().drawingMb, 24);

/** What a drawing thread keeps for the next pictures, in bytes. The rest is for the picture, and for garbage. */
export function keptByDrawing() {
  const bytes = memoryShares().drawingMb * MB;
  return {
    /** Rows, shapes, and views: those of eight metros take 40 MB. Reading them again doubles the CPU time. */
    cache: bytes / 9,
    decodedTiles: bytes / 8,
    glyphMasks: bytes / 40,
    surfaces: bytes / 16,
  };
}
