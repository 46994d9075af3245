/** JSON for the map next to the review queue. */
import { REVIEWERS } from '../../../../../people/account/access.ts';
import { PreparedAnswer } from '../../../../../base/contract/prepared.ts';
import { group as groupBy } from 'd3-array';
import { bboxAround, type Bbox } from '../../../../../base/spatial/bbox.ts';
import { liveZips, pendingZips } from '../../../../../territories/brands/review-queue.ts';
import type { MemberData } from '../../../framework/data.ts';
import { actorText } from '../../actor.ts';
import { readQueueFilter } from '../queue-query.ts';
import { QUEUE_MAP_PATH } from './view.ts';

export const queueMapData: MemberData = {
  audience: 'member',
  path: QUEUE_MAP_PATH,
  prepared: true,
  roles: REVIEWERS,
  async answer({ caller, query }) {
    const { tenant, brandScope } = caller;
    const pending = await pendingZips(tenant, brandScope, readQueueFilter(query, new Date()));
    const brands = [...new Set(pending.map(({ brand }) => brand.id))];
    const live = await liveZips(tenant, brands);
    const requests = groupBy(pending, ({ batchId }) => batchId);
    // Lists of ZIP codes are strings: 5,000 ZIP codes take 30 kB, or 8 kB compressed.
    const body = {
      live: live.join(' '),
      requests: Array.from(requests, ([id, zips]) => ({
        id,
        brand: zips[0]!.brand.name,
        by: actorText(zips[0]!.requestedBy),
        zips: joinCodes(zips),
        // A ZIP code that is requested for two brands has different flags in each request.
        shared: Object.fromEntries(
          zips
            .filter(({ sharedWith }) => sharedWith.length > 0)
            .map(({ zip, sharedWith }) => [zip, sharedWith]),
        ),
        isolated: joinCodes(zips.filter(({ isolated }) => isolated)),
        bbox: bboxOf(zips.flatMap(({ bbox }) => (bbox ? [bbox] : []))),
      })),
    };
    return { body: new PreparedAnswer(JSON.stringify(body)) };
  },
};

const joinCodes = (zips: readonly { zip: string }[]) => zips.map(({ zip }) => zip).join(' ');

const bboxOf = (boxes: readonly Bbox[]) => (boxes.length > 0 ? bboxAround(boxes) : null);
