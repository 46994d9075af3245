/** The borders of a market's ZIP codes as lines, from which the page draws the outlines of territories. */
import { PreparedAnswer } from '../../../../contract/prepared.ts';
import { letOthersRun } from '../../../../let-others-run.ts';
import { zipShapes } from '../../../../market/zips.ts';
import { borderLines } from '../../../../spatial/border-lines.ts';
import { fitBbox } from '../../../../spatial/camera.ts';
import { detailForZoom } from '../../../../spatial/detail.ts';
import { bboxOfZips } from '../../../../territory/map-zips.ts';
import type { MemberData } from '../../../framework/data.ts';
import { DEGREE_UNITS, type BorderLinesAnswer } from '../browser/border-lines.ts';
import { readPlace } from './place.ts';

/** Detail of a map of this size in CSS pixels that shows the whole market, zoomed in */
const MAP = { width: 1024, height: 768, moreZooms: 1.5 };

export const bordersRoute: MemberData = {
  audience: 'member',
  path: '/account/map/borders.json',
  prepared: true,
  async answer({ caller, query }) {
    const { common } = caller.tenant;
    const { zips } = await readPlace(caller, query);
    const bbox = await bboxOfZips(common, zips);
    const lod = detailForZoom(fitBbox(bbox, MAP.width, MAP.height, 0).zoom + MAP.moreZooms);
    const shapes = await zipShapes(common, zips, lod);
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
    return { body: new PreparedAnswer(JSON.stringify(answer)) };
  },
};

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
