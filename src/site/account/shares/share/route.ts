import { changeRefusal, requireChange } from '../../../../account/access.ts';
import { recordOf } from '../../../../agent/share-record.ts';
import type { Operation } from '../../../../contract/operation.ts';
import { revokeShare, findShare } from '../../../../share/links.ts';
import { form } from '../../../framework/form.ts';
import { page, type Page } from '../../../framework/page.ts';
import type { SiteParts } from '../../../framework/visit.ts';
import { loadFrame } from '../../load-frame.ts';
import { REVOKE_SHARE_PATH, SHARE_PATH, shareAddress, sharePage } from './view.ts';

export function shareRoutes(parts: SiteParts): Operation[] {
  const { db } = parts;
  const share: Page<'member'> = {
    audience: 'member',
    path: SHARE_PATH,
    async show(visit, state) {
      const { caller, params, links } = visit;
      const link = await findShare(caller.tenant, caller.brandScope, params.share!);
      const roots = { apiRoot: links.absoluteApi(''), siteRoot: links.absolute('') };
      const record = recordOf(link, roots);
      const frame = await loadFrame(db, visit);
      const refusal = changeRefusal(caller);
      return sharePage({ ...frame, form: state, link, record, refusal }, links);
    },
  };
  const revoke = form(
    share,
    {
      path: REVOKE_SHARE_PATH,
      async submit({ caller, params }) {
        requireChange(caller);
        const { tenant, brandScope, actor } = caller;
        const { link } = await tenant.transaction((tx) =>
          revokeShare(tx, brandScope, actor, params.share!),
        );
        return { to: shareAddress(link.code), notice: 'share-revoked' };
      },
    },
    parts,
  );
  return [page(share, parts), revoke];
}
