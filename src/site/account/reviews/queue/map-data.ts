/** What the map beside the review queue shows, as its script asks for it. */
import { PreparedAnswer } from '../../../../contract/prepared.ts';
import { requireRole, REVIEWERS } from '../../../../account/access.ts';
import { groupBy } from '../../../../group.ts';
import { actorText } from '../../actor.ts';
import { QUEUE_MAP_PATH } from './view.ts';
import { liveZips, pendingZips } from '../../../../territory/review-queue.ts';
import { bboxAround, type Bbox } from '../../../../spatial/bbox.ts';
import type { MemberData } from '../../../framework/data.ts';
import { queueFilter } from '../queue-query.ts';

export const reviewMap = (): MemberData => ({
  method: 'get',
  path: QUEUE_MAP_PATH,
  prepared: true,
  answer: async ({ caller, query }) => {
    const { tenant, brandScope } = caller;
    requireRole(caller, REVIEWERS, 'Reading the review queue');
    const waiting = await pendingZips(tenant, brandScope, queueFilter(query, new Date()));
    const brands = [...new Set(waiting.map(({ brand }) => brand.id))];
    const live = await liveZips(tenant, brands);
    // Lists of ZIPs are texts: of 5,000 ZIPs 30 kB, 8 kB compressed.
    const body = {
      live: live.join(' '),
      requests: Array.from(
        groupBy(waiting, ({ batchId }) => batchId),
        ([id, zips]) => ({
          id,
          brand: zips[0]!.brand.name,
          by: actorText(zips[0]!.requestedBy),
          zips: zips.map(({ zip }) => zip).join(' '),
          // A ZIP that waits for two brands has flags of its own in each request.
          shared: Object.fromEntries(
            zips
              .filter(({ sharedWith }) => sharedWith.length > 0)
              .map(({ zip, sharedWith }) => [zip, sharedWith]),
          ),
          isolated: zips
            .filter(({ isolated }) => isolated)
            .map(({ zip }) => zip)
            .join(' '),
          bbox: around(zips.flatMap(({ bbox }) => (bbox ? [bbox] : []))),
        }),
      ),
    };
    return { body: new PreparedAnswer(JSON.stringify(body)) };
  },
});

const around = (boxes: readonly Bbox[]) => (boxes.length > 0 ? bboxAround(boxes) : null);
