/** Closes a share link for good. */
import { z } from 'zod';
import { EXAMPLE_TOKEN } from '../../share/token.ts';
import { revokeShare, findShare, type ShareLink } from '../../share/links.ts';
import { writeFields } from '../fields.ts';
import { idempotent } from '../idempotent.ts';
import { describeShare, recordOf, ShareRecord } from '../share-record.ts';
import { tool } from '../tool.ts';

export const revokeShareLink = tool({
  name: 'service_revoke_share_link',
  title: 'Revoke a share link',
  summary: 'Closes a public share link at once and for good',
  description:
    'Whoever opens it afterwards finds nothing (404). A link that is closed already stays as it is. ' +
    'service_list_share_links tells the links there are.',
  units: 1,
  write: true,
  destructive: true,
  idempotent: true,
  input: z.object({
    link: z.string().min(1).max(60).meta({ description: 'Its token or code' }),
    ...writeFields,
  }),
  output: z.object({
    share: ShareRecord,
    changed: z.boolean().meta({ description: 'False: it was closed already' }),
  }),
  example: { link: EXAMPLE_TOKEN, confirm: true },
  async preview({ link }, { caller: { tenant, brandScope } }) {
    const share = await findShare(tenant, brandScope, link);
    const { code, status } = share;
    return {
      changes: { code, status, becomes: status === 'active' ? 'revoked' : status },
      text:
        status === 'active'
          ? `The link ${describeShare(share)} would be closed for everybody who has it, for good.`
          : closedAlready(share),
    };
  },
  async handle(input, { caller: { tenant, brandScope, actor }, apiRoot, siteRoot, charge }) {
    // The answer that is kept for a repetition may be another key's, of a wider scope.
    await findShare(tenant, brandScope, input.link);
    const call = { tool: this.name, key: input.idempotencyKey, input };
    const { answer } = await tenant.transaction((tx) =>
      idempotent(tx, call, async () => {
        const { link, changed } = await revokeShare(tx, brandScope, actor, input.link);
        if (changed) await charge(tx);
        return {
          data: { share: recordOf(link, { apiRoot, siteRoot }), changed },
          text: changed
            ? `Revoked: ${describeShare(link)}. Whoever opens it finds nothing.`
            : closedAlready(link),
        };
      }),
    );
    return answer;
  },
});

const closedAlready = (link: ShareLink) =>
  `Nothing to do, it is closed already: ${describeShare(link)}.`;
