import { z } from 'zod';
import { asOf } from '../../base/contract/as-of.ts';
import { NextCursor, pageFields } from '../../base/contract/paging.ts';
import { listBrands as listBrandsInScope } from '../../territories/brands/list-brands.ts';
import { tool } from './tool.ts';
import { moreSuffix, nextPageLine, pluralize } from '../../base/text/words.ts';

export const listBrands = tool({
  name: 'service_list_brands',
  title: 'List brands',
  summary: 'List the brands in scope with counts of live and pending ZIP codes',
  description: 'Other tools take a brand by slug, name, or id.',
  units: 1,
  write: false,
  input: z.object({ asOf: asOf.optional(), ...pageFields() }),
  output: z.object({
    brands: z.array(
      z.object({
        id: z.string(),
        slug: z.string(),
        name: z.string(),
        live: z.int().meta({ description: 'Approved ZIP codes' }),
        pending: z.int().meta({ description: 'ZIP codes in review' }),
      }),
    ),
    nextCursor: NextCursor,
  }),
  example: {},
  async handle(input, { caller: { tenant, brandScope } }) {
    const { rows: brands, nextCursor } = await listBrandsInScope(tenant, brandScope, input);
    const text = [
      brands.length === 0
        ? 'No brands in scope.'
        : `${pluralize(brands.length, 'brand')}${moreSuffix(nextCursor)}:`,
      ...brands.map(
        ({ name, slug, live, pending }) => `- ${name} (${slug}): ${live} live, ${pending} pending`,
      ),
      ...nextPageLine(nextCursor),
    ].join('\n');
    return { data: { brands, nextCursor }, text };
  },
});
