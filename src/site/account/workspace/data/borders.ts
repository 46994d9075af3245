/** The borders of a market's ZIP codes as lines, from which the page draws the outlines of territories. */
import { JSON_TYPE, PreparedAnswer } from '../../../../contract/prepared.ts';
import type { Queryable } from '../../../../db/database.ts';
import { importedData } from '../../../../db/imported-data.ts';
import { letOthersRun } from '../../../../let-others-run.ts';
import { zipShapes } from '../../../../market/zips.ts';
import { borderLines } from '../../../../spatial/border-lines.ts';
import { fitBbox } from '../../../../spatial/camera.ts';
import { detailForZoom } from '../../../../spatial/detail.ts';
import { bboxOfZips } from '../../../../territory/map-zips.ts';
import type { MemberData } from '../../../framework/data.ts';
import type { SiteParts } from '../../../framework/visit.ts';
import { DEGREE_UNITS, type BorderLinesAnswer } from '../browser/border-lines.ts';
import { readPlace } from './place.ts';

/** Detail of a map of this size in CSS pixels that shows the whole market, zoomed in */
const MAP = { width: 1024, height: 768, moreZooms: 1.5 };

const CACHE_BYTES = 16 * 1024 * 1024;
/**
 * Lines name ZIP codes by their numbers in the market, which an import changes, so browsers ask on each use.
 * Shared caches must not keep what members see.
 */
const ASK_FIRST = { 'Cache-Control': 'private, no-cache' };

export const BORDERS_PATH = '/account/map/borders.json';

export function bordersRoute({ db, caches }: SiteParts): MemberData {
  const cached = caches.answers(
    {
      name: 'market borders',
      maxBytes: CACHE_BYTES,
      type: JSON_TYPE,
      data: importedData(db, ['boundaries']),
    },
    ASK_FIRST,
  );
  return {
    audience: 'member',
    path: BORDERS_PATH,
    prepared: true,
    async answer({ caller, query }) {
      const { id, zips } = await readPlace(caller, query);
      // Plans belong to an organization, and others are the same for everyone.
      if (!query.get('plan')) return cached(id, (at) => bordersOf(at, zips));
      return { body: new PreparedAnswer(await bordersOf(caller.tenant.common, zips)) };
    },
  };
}

async function bordersOf(db: Queryable, zips: readonly string[]): Promise<string> {
  const bbox = await bboxOfZips(db, zips);
  const lod = detailForZoom(fitBbox(bbox, MAP.width, MAP.height, 0).zoom + MAP.moreZooms);
  const shapes = await zipShapes(db, zips, lod);
  await letOthersRun();
  const numberOf = new Map(zips.map((zip, i) => [zip, i]));
  const drawn = [...shapes.keys()].map((zip) => numberOf.get(zip)!);
  const lines = borderLines([...shapes.values()]);
  await letOthersRun();
  const answer: BorderLinesAnswer = {
    left: lines.map(({ left }) => drawn[left]!),
    right: lines.map(({ right }) => (right === -1 ? -1 : drawn[right]!)),
    lines: lines.map(({ positions }) => deltasOf(positions)),
  };
  return JSON.stringify(answer);
}

/** Differences are short numbers. */
function deltasOf(positions: readonly (readonly number[])[]): number[] {
  const last = [0, 0];
  return positions.flatMap((position) =>
    [0, 1].map((axis) => {
      const units = Math.round(position[axis]! * DEGREE_UNITS);
      const delta = units - last[axis]!;
      last[axis] = units;
      return delta;
    }),
  );
}
