/** JSON for the map of a change. */
import { PreparedAnswer } from '../../../../../../base/contract/prepared.ts';
import { findChange } from '../../../../../../territories/brands/changes/read.ts';
import { liveZips } from '../../../../../../territories/brands/review-queue.ts';
import type { MemberData } from '../../../../framework/data.ts';
import type { ChangeMapData } from './map-shape.ts';
import { CHANGE_MAP, CHANGE_PATH } from './view.ts';

export const changeMapData: MemberData = {
  audience: 'member',
  path: CHANGE_PATH + CHANGE_MAP,
  prepared: true,
  async answer({ caller: { tenant, brandScope }, params }) {
    const { parts } = await findChange(tenant, brandScope, params.change!);
    const live = await liveZips(
      tenant,
      parts.map(({ brand }) => brand.id),
    );
    const body: ChangeMapData = {
      live: live.join(' '),
      brands: parts.map(({ brand, added, removed }) => ({
        name: brand.name,
        added: added.join(' '),
        removed: removed.join(' '),
      })),
    };
    return { body: new PreparedAnswer(JSON.stringify(body)) };
  },
};
