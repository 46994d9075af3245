import type { Operation } from '../../../../contract/operation.ts';
import { page } from '../../../framework/page.ts';
import type { SiteParts } from '../../../framework/visit.ts';
import { loadTrail } from '../../activity/load-trail.ts';
import { DECIDED_PATH, decidedPage, DECISIONS } from '../../activity/view.ts';
import { loadFrame } from '../../load-frame.ts';

export function decidedRoutes(parts: SiteParts): Operation[] {
  const decided = page(
    {
      audience: 'member',
      path: DECIDED_PATH,
      async show(visit, state) {
        const [frame, trail] = await Promise.all([
          loadFrame(parts.db, visit),
          loadTrail(visit, DECISIONS),
        ]);
        return decidedPage({ ...frame, ...trail, form: state }, visit.links);
      },
    },
    parts,
  );
  return [decided];
}
