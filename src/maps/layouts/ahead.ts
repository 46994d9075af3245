/**
 * Finds layouts before anyone asks for them: after an import, of the launched metros in the sizes of pages, embeds, and
 * compositions. One process does it, while it draws no picture.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../base/db/database.ts';
import { endLease, holdLease } from '../../base/db/lease.ts';
import { everyFew, type Loop } from '../../base/workers/loops.ts';
import { ServiceError } from '../../errors.ts';
import { launchedMetros } from '../../data/market/metros.ts';
import { VERTICALS } from '../../data/scoring/verticals.ts';
import { COMPOSITIONS } from '../cartography/compositions.ts';
import type { Layouts } from '../cartography/map-data.ts';
import type { MapPool } from '../cartography/map-pool.ts';
import { drawScoreMap } from '../cartography/score-map.ts';
import { MAP_DATASETS } from '../cartography/zip-map.ts';

/** CSS pixels, and pixel ratios. Dark pictures have the same layouts as light ones. */
export const LOOKS = [
  { width: 1200, height: 800, pixelRatio: 1 },
  { width: 1200, height: 800, pixelRatio: 2 },
  { width: 1200, height: 630, pixelRatio: 1 },
  { width: 600, height: 400, pixelRatio: 1 },
  { width: 600, height: 400, pixelRatio: 2 },
  { width: 600, height: 315, pixelRatio: 1 },
  { width: 400, height: 400, pixelRatio: 1 },
  { width: 400, height: 400, pixelRatio: 2 },
  ...Object.values(COMPOSITIONS),
].map(({ width, height, pixelRatio }) => ({ width, height, pixelRatio }));

const POLL_MS = 60_000;
/** People who have just started a service look at it. */
const FIRST_MS = 2 * POLL_MS;
const LEASE = 'layouts';
const LEASE_SECONDS = 60;
const BUSY_MS = 250;

interface AheadParts {
  db: Database;
  log: Logger;
  layouts: Layouts;
  renderer: Pick<MapPool, 'data' | 'drawMap' | 'drawTiles' | 'stats'>;
}

/** @param metros slugs. Default: all launched metros */
export function startLayoutsAhead(
  { db, log, layouts, renderer }: AheadParts,
  { firstMs = FIRST_MS, metros = launchedMetros().map(({ slug }) => slug) } = {},
): Loop {
  const holder = randomUUID();
  let done: string | undefined;

  /** @returns whether all were found */
  async function findAll(signal: AbortSignal): Promise<boolean> {
    for (const metro of metros) {
      for (const look of LOOKS) {
        while (renderer.stats.running > 0) await delay(BUSY_MS, undefined, { signal });
        if (!(await holdLease(db, LEASE, holder, LEASE_SECONDS))) return false;
        const startedAt = performance.now();
        const map = { ...look, style: 'light', market: { metro }, onlyLayout: true } as const;
        await renderer
          .data(db, MAP_DATASETS)
          .read((at) => drawScoreMap(at, renderer, { ...map, vertical: VERTICALS[0]!.slug }))
          .catch(ignoreMissing);
        // At most half of one core
        await delay(performance.now() - startedAt, undefined, { signal });
      }
    }
    return true;
  }

  async function work(signal: AbortSignal): Promise<void> {
    const stamp = await renderer.data(db, MAP_DATASETS).stamp();
    const isMade = async () => (await layouts.read(`ahead ${stamp}`)) !== null;
    if (done === stamp || (await isMade())) return void (done = stamp);
    const startedAt = performance.now();
    if (!(await findAll(signal))) return;
    await layouts.keep(`ahead ${stamp}`, new Uint8Array());
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    log.info({ seconds }, 'laid out the maps of the launched metros ahead');
  }

  return everyFew(POLL_MS, work, {
    log,
    failed: 'maps can’t be laid out ahead now; each is laid out when it’s asked for',
    firstMs,
    atEnd: () => endLease(db, LEASE, holder).catch(() => {}),
  });
}

/** A file of boundaries may lack a metro. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof ServiceError && error.status === 404)) throw error;
}
