import { z } from 'zod';
import { NextCursor, pageFields } from '../../base/contract/paging.ts';
import { listShares, SHARE_STATUSES } from '../../territories/share/links.ts';
import { findBrand } from '../../territories/brands/brands.ts';
import { brand } from './support/fields.ts';
import { describeShare, recordOf, ShareRecord } from './support/share-record.ts';
import { tool } from './tool.ts';
import { moreSuffix, nextPageLine, pluralize } from '../../base/text/words.ts';

export const listShareLinks = tool({
  name: 'service_list_share_links',
  title: 'List share links',
  summary: 'List the organization’s share links, newest first',
  description: 'Use to find the code of a link to send or revoke.',
  units: 1,
  write: false,
  input: z.object({
    brand: brand.optional(),
    status: z.enum([...SHARE_STATUSES, 'all']).default('active'),
    ...pageFields(),
  }),
  output: z.object({ links: z.array(ShareRecord), nextCursor: NextCursor }),
  example: { status: 'all' },
  async handle({ status, ...input }, { caller: { tenant, brandScope }, apiRoot, siteRoot }) {
    const named =
      input.brand === undefined ? null : await findBrand(tenant, brandScope, input.brand);
    const filter = { brandId: named?.id, status: status === 'all' ? undefined : status };
    const { rows, nextCursor } = await listShares(tenant, brandScope, filter, input);
    const which = `${status === 'all' ? '' : `${status} `}share link`;
    const text = [
      `${rows.length === 0 ? `No ${which}s` : pluralize(rows.length, which)}${named ? ` of ${named.name}` : ''}${moreSuffix(nextCursor)}${rows.length === 0 ? '.' : ':'}`,
      ...rows.map((link) => `- ${describeShare(link)}`),
      ...nextPageLine(nextCursor),
    ].join('\n');
    return {
      data: { links: rows.map((link) => recordOf(link, { apiRoot, siteRoot })), nextCursor },
      text,
    };
  },
});
