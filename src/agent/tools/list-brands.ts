/** The brands that the caller can reach. */
import { z } from 'zod';
import { NextCursor, pageFields } from '../../paging.ts';
import { listBrands as brandsWithin } from '../../territory/brands.ts';
import { tool } from '../tool.ts';
import { andMore, counted, more } from '../../words.ts';

export const listBrands = tool({
  name: 'service_list_brands',
  title: 'List brands',
  summary: 'Lists the brands within reach with their live and pending ZIP counts',
  description: 'Use it first: other tools take a brand by its slug, name or id.',
  units: 1,
  write: false,
  input: z.object(pageFields()),
  output: z.object({
    brands: z.array(
      z.object({
        id: z.string(),
        slug: z.string(),
        name: z.string(),
        live: z.int().meta({ description: 'Approved ZIPs' }),
        pending: z.int().meta({ description: 'ZIPs in review' }),
      }),
    ),
    nextCursor: NextCursor,
  }),
  example: {},
  async handle(input, { caller: { tenant, brandScope } }) {
    const { rows: brands, nextCursor } = await brandsWithin(tenant, brandScope, input);
    const text = [
      brands.length === 0
        ? 'No brands within reach.'
        : `${counted(brands.length, 'brand')}${andMore(nextCursor)}:`,
      ...brands.map(
        ({ name, slug, live, pending }) => `- ${name} (${slug}): ${live} live, ${pending} pending`,
      ),
      ...more(nextCursor),
    ].join('\n');
    return { data: { brands, nextCursor }, text };
  },
});
