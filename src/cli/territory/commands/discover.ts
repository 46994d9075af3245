import { Option } from 'commander';
import { scoreBar } from '../../bars.ts';
import { formatCount, formatTenths, pluralize } from '../../../text/words.ts';
import { formatTable } from '../../table.ts';
import { formatter, paragraphs, type Command } from '../command.ts';
import { formatPlace } from '../format-place.ts';
import { brandOption, compareWithOption, minScoreOption, parseNumber } from '../options.ts';
import { formatNextPage, pagedCall, pageOptions } from '../paged-call.ts';

const format = formatter(
  async () => (await import('../../../agent/tools/discover-zips.ts')).discoverZips.output,
  ({ zips, nextCursor }, layout) =>
    paragraphs(
      layout.paint('bold', 'ZIP codes to expand into, best first'),
      formatTable(
        layout,
        [
          { heading: 'ZIP', cell: ({ zip }) => zip },
          { heading: 'Place', cell: formatPlace },
          { heading: 'Score', cell: ({ score }) => formatCount(score), right: true },
          { heading: 'Miles', cell: (zip) => formatTenths(zip.distanceMiles), right: true },
          { heading: 'Adjacent', cell: ({ adjacent }) => (adjacent ? 'yes' : '') },
          { heading: 'Held by', cell: ({ heldByNames }) => holders(heldByNames) },
          ...(zips.some(({ own }) => own !== null)
            ? [{ heading: 'Your data', cell: ({ own }: (typeof zips)[number]) => own ?? '' }]
            : []),
          {
            heading: 'Households',
            cell: (zip) => formatCount(zip.households),
            right: true,
            dropOrder: 1,
          },
          { heading: '', cell: ({ score }) => scoreBar(layout, score), dropOrder: 2 },
        ],
        zips,
      ) || '  No ZIP codes match. Widen --radius or --minutes, or lower --min-score.',
      formatNextPage(nextCursor, layout),
    ),
);

const holders = ([first, ...others]: readonly string[]) =>
  others.length === 0 ? (first ?? '') : `${first} and ${pluralize(others.length, 'other')}`;

export const discover: Command = {
  usage: 'discover <vertical>',
  summary: 'find ZIP codes to expand into, by radius, drive time, or city',
  options: [
    brandOption(),
    new Option('--radius <miles>', 'maximum distance').argParser(parseNumber),
    new Option('--minutes <minutes>', 'maximum time by car').argParser(parseNumber),
    new Option('--near <zip>', 'around a ZIP code or a point: LAT,LNG'),
    new Option('--city <city>', 'in or around a city: "Plano, TX"'),
    new Option('--state <code>', 'only in a state, such as TX'),
    new Option('--metro <metro>', 'only in a launched metro'),
    new Option('--from <part>', 'around the brand’s border (default) or centroid'),
    minScoreOption(),
    compareWithOption('leave out ZIP codes at or above the metro’s median'),
    ...pageOptions(),
  ],
  examples: [
    'discover roofing --brand lone-star-roofing --radius 10 --limit 10',
    'discover hvac --near 85015 --radius 5 --min-score 80',
    'discover hvac --near 33.45,-112.07 --radius 5',
    'discover roofing --brand lone-star-roofing --radius 10 --state TX',
    'discover hvac --near 85015 --minutes 20',
    'discover roofing --city "Plano, TX" --json',
  ],
  call: (
    [vertical],
    { brand, radius, minutes, near, city, state, metro, from, minScore, compareWith, ...paging },
  ) => {
    const input = {
      vertical,
      brand,
      radiusMiles: radius,
      ...{ minutes, city, state, metro, from, minScore, compareWith },
      ...parseNear(near),
    };
    return pagedCall('service_discover_zips', input, paging, 'zips', format);
  },
};

function parseNear(near: string | undefined) {
  const [, lat, lng] = /^\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*$/.exec(near ?? '') ?? [];
  return lat === undefined
    ? { nearZip: near }
    : { nearPoint: { lat: Number(lat), lng: Number(lng) } };
}
