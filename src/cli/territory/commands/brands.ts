import { formatCount } from '../../../text/words.ts';
import { formatTable } from '../../table.ts';
import { formatter, paragraphs, type Command } from '../command.ts';
import { formatNextPage, pagedCall, pageOptions } from '../paged-call.ts';

const format = formatter(
  async () => (await import('../../../agent/tools/list-brands.ts')).listBrands.output,
  ({ brands, nextCursor }, layout) =>
    paragraphs(
      layout.paint('bold', 'Brands'),
      formatTable(
        layout,
        [
          { heading: 'Name', cell: ({ name }) => name },
          { heading: 'Slug', cell: ({ slug }) => slug },
          { heading: 'Live', cell: ({ live }) => formatCount(live), right: true },
          { heading: 'Pending', cell: ({ pending }) => formatCount(pending), right: true },
        ],
        brands,
      ) || '  This key has access to no brands.',
      formatNextPage(nextCursor, layout),
    ),
);

export const brands: Command = {
  usage: 'brands',
  summary: 'list your brands with their ZIP code counts',
  options: pageOptions(),
  examples: ['brands', 'brands --all --json'],
  call: (_operands, options) => pagedCall('service_list_brands', {}, options, 'brands', format),
};
