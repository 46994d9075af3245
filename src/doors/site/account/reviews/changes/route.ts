/** Lists changes of territories: those that wait, and those that are live or have ended. */
import { listChanges, CHANGE_STATUSES } from '../../../../../territories/brands/changes/read.ts';
import type { Page } from '../../../framework/page.ts';
import { changesPage } from './view.ts';
import { CHANGES_PATH } from './words.ts';

export const changesRoute: Page<'account'> = {
  audience: 'account',
  path: CHANGES_PATH,
  async show({ caller, query, links }) {
    const { tenant, brandScope } = caller;
    const status = CHANGE_STATUSES.find((one) => one === query.get('status'));
    const { rows, nextCursor } = await listChanges(
      tenant,
      brandScope,
      status ? { statuses: [status] } : {},
      { cursor: query.get('cursor') ?? undefined },
    );
    return changesPage({ changes: rows, nextCursor, query }, links);
  },
};
