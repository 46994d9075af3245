import type { Page } from '../../../framework/page.ts';
import { loadTrail } from '../../activity/load-trail.ts';
import { DECIDED_PATH, decidedPage, DECISIONS } from '../../activity/view.ts';

export const decidedRoute: Page<'account'> = {
  audience: 'account',
  path: DECIDED_PATH,
  show: async (visit, form) =>
    decidedPage({ ...(await loadTrail(visit, DECISIONS)), form }, visit.links),
};
