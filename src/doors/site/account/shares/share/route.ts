import { WRITER, refusalFor } from '../../../../../people/account/access.ts';
import { recordOf } from '../../../../tools/support/share-record.ts';
import { revokeShare, findShare } from '../../../../../territories/share/links.ts';
import type { Page } from '../../../framework/page.ts';
import { REVOKE_SHARE_PATH, SHARE_PATH, shareAddress, sharePage } from './view.ts';

export const shareRoute: Page<'account'> = {
  audience: 'account',
  path: SHARE_PATH,
  async show({ caller, params, links }, form) {
    const link = await findShare(caller.tenant, caller.brandScope, params.share!);
    const roots = { apiRoot: links.absoluteApi(''), siteRoot: links.absolute('') };
    const record = recordOf(link, roots);
    return sharePage({ form, link, record, refusal: refusalFor(caller, WRITER) }, links);
  },
  forms: [
    {
      path: REVOKE_SHARE_PATH,
      needs: 'writer',
      async submit({ caller, params }) {
        const { tenant, brandScope, actor } = caller;
        const { link } = await tenant.transaction((tx) =>
          revokeShare(tx, brandScope, actor, params.share!),
        );
        return { to: shareAddress(link.code), notice: 'share-revoked' };
      },
    },
  ],
};
