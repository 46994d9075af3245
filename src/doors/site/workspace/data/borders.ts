/** The borders of a market's ZIP codes as lines, from which the page draws the outlines of territories. */
import { JSON_TYPE, PreparedAnswer } from '../../../../base/contract/prepared.ts';
import type { Queryable } from '../../../../base/db/database.ts';
import { importedData } from '../../../../base/db/imported-data.ts';
import { letOthersRun } from '../../../../base/workers/let-others-run.ts';
import { resolveMarket } from '../../../../data/market/market.ts';
import { zipShapes } from '../../../../data/market/zips.ts';
import { borderLines } from '../../../../base/spatial/border-lines.ts';
import { fitBbox } from '../../../../base/spatial/camera.ts';
import { detailForZoom } from '../../../../base/spatial/detail.ts';
import { bboxOfZips } from '../../../../territories/brands/map-zips.ts';
import type { MemberData } from '../../framework/data.ts';
import type { SiteParts } from '../../framework/visit.ts';
import { DEGREE_UNITS, type BorderLinesAnswer } from '../browser/map/border-lines.ts';
import { readMarket, readPlace } from './place.ts';

/** Size, in CSS pixels, of a map that shows the whole market, plus further zooms for its detail */
const MAP = { width: 1024, height: 768, moreZooms: 1.5 };

/** An import changes the lines. Shared caches must not keep members' data. */
const ASK_FIRST = { 'Cache-Control': 'private, no-cache' };

export const BORDERS_PATH = '/account/map/borders.json';

export function bordersRoute({ db, caches }: SiteParts): MemberData {
  const cached = caches.answers(
    { name: 'market borders', type: JSON_TYPE, data: importedData(db, ['boundaries']) },
    ASK_FIRST,
  );
  return {
    audience: 'member',
    path: BORDERS_PATH,
    prepared: true,
    async answer({ caller, query }) {
      if (query.get('plan')) {
        const { zips } = await readPlace(caller, query);
        return { body: new PreparedAnswer(await bordersOf(caller.tenant.common, zips)) };
      }
      // Metros and states are the same for everyone. Their ZIP codes depend on the cached version of the
      // data.
      const { id, market } = readMarket(query);
      return cached(id, async (at) => bordersOf(at, (await resolveMarket(at, market)).zips));
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
    zips: zips.join(' '),
    left: lines.map(({ left }) => drawn[left]!),
    right: lines.map(({ right }) => (right === -1 ? -1 : drawn[right]!)),
    lines: lines.map(({ positions }) => deltasOf(positions)),
  };
  return JSON.stringify(answer);
}

/** Encodes positions as differences, which are short numbers. */
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
