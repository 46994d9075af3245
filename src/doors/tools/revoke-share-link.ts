import { z } from 'zod';
import { EXAMPLE_TOKEN } from '../../territories/share/token.ts';
import { revokeShare, findShare, type ShareLink } from '../../territories/share/links.ts';
import { writeFields } from './support/fields.ts';
import { writeOnce } from '../../people/metering/idempotent.ts';
import { describeShare, recordOf, ShareRecord } from './support/share-record.ts';
import { tool } from './tool.ts';

export const revokeShareLink = tool({
  name: 'service_revoke_share_link',
  title: 'Revoke a share link',
  summary: 'Revoke a share link immediately and permanently',
  description: 'The link then returns 404. Find links with service_list_share_links.',
  units: 1,
  write: true,
  destructive: true,
  idempotent: true,
  input: z.object({
    link: z.string().min(1).max(300).meta({ description: 'Address, token, or code' }),
    ...writeFields,
  }),
  output: z.object({
    share: ShareRecord,
    changed: z.boolean().meta({ description: 'False if it was already revoked or expired' }),
  }),
  example: { link: EXAMPLE_TOKEN, confirm: true },
  async preview({ link }, { caller: { tenant, brandScope } }) {
    const share = await findShare(tenant, brandScope, link);
    const { code, status } = share;
    return {
      changes: { code, status, becomes: status === 'active' ? 'revoked' : status },
      text:
        status === 'active'
          ? `The link ${describeShare(share)} will be revoked for everyone, permanently.`
          : describeClosed(share),
    };
  },
  async handle(input, { caller: { tenant, brandScope, actor }, apiRoot, siteRoot, charge }) {
    // Checks the scope again, because a stored answer may come from a key with a wider scope.
    await findShare(tenant, brandScope, input.link);
    return writeOnce(this.name, input, tenant, async (tx) => {
      const { link, changed } = await revokeShare(tx, brandScope, actor, input.link);
      if (changed) await charge(tx);
      return {
        data: { share: recordOf(link, { apiRoot, siteRoot }), changed },
        text: changed
          ? `Revoked: ${describeShare(link)}. The link now returns 404.`
          : describeClosed(link),
      };
    });
  },
});

const describeClosed = (link: ShareLink) =>
  `Nothing to do. The link is already revoked or expired: ${describeShare(link)}.`;
