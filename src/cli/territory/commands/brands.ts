/** `territory brands`: what there is to work on. */
import { z } from 'zod';
import { count } from '../../figures.ts';
import { table } from '../../table.ts';
import { paragraphs, reading, type Command } from '../command.ts';
import { moreText, pagedCall, pageOptions } from '../paged-call.ts';

const Brands = z.object({
  brands: z.array(
    z.object({ slug: z.string(), name: z.string(), live: z.number(), pending: z.number() }),
  ),
  nextCursor: z.string().nullable(),
});

const text = reading(Brands, ({ brands, nextCursor }, paper) =>
  paragraphs(
    paper.paint('bold', 'Brands'),
    table(
      paper,
      [
        { heading: 'Name', cell: ({ name }) => name },
        { heading: 'Slug', cell: ({ slug }) => slug },
        { heading: 'Live ZIPs', cell: ({ live }) => count(live), right: true },
        { heading: 'In review', cell: ({ pending }) => count(pending), right: true },
      ],
      brands,
    ) || '  There is none within the key’s reach.',
    moreText(nextCursor, paper),
  ),
);

export const brands: Command = {
  usage: 'brands',
  summary: 'your brands, and how many ZIPs each holds',
  options: pageOptions(),
  examples: ['brands', 'brands --all --json'],
  call: (_operands, options) => pagedCall('service_list_brands', {}, options, 'brands', text),
};
