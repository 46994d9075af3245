/** `territory discover`: where a brand could grow. */
import { Option } from 'commander';
import { z } from 'zod';
import { count, oneDecimal, scoreBar } from '../../figures.ts';
import { table } from '../../table.ts';
import { paragraphs, reading, type Command } from '../command.ts';
import { brandOption, minScoreOption, number } from '../options.ts';
import { moreText, pagedCall, pageOptions } from '../paged-call.ts';
import { placeText } from '../place-text.ts';

const Found = z.object({
  zips: z.array(
    z.object({
      zip: z.string(),
      city: z.string().nullable(),
      state: z.string().nullable(),
      score: z.number(),
      households: z.number().nullable(),
      distanceMiles: z.number(),
      adjacent: z.boolean(),
      heldBy: z.array(z.string()),
    }),
  ),
  nextCursor: z.string().nullable(),
});

const text = reading(Found, ({ zips, nextCursor }, paper) =>
  paragraphs(
    paper.paint('bold', 'ZIPs to expand into, best first'),
    table(
      paper,
      [
        { heading: 'ZIP', cell: ({ zip }) => zip },
        { heading: 'Place', cell: placeText },
        { heading: 'Score', cell: ({ score }) => count(score), right: true },
        { heading: 'Miles', cell: (zip) => oneDecimal(zip.distanceMiles), right: true },
        { heading: 'Borders', cell: ({ adjacent }) => (adjacent ? 'yes' : '') },
        { heading: 'Held by', cell: ({ heldBy }) => heldBy.join(', ') },
        { heading: 'Households', cell: (zip) => count(zip.households), right: true, spare: 1 },
        { heading: '', cell: ({ score }) => scoreBar(paper, score), spare: 2 },
      ],
      zips,
    ) || '  None: widen --radius or lower --min-score.',
    moreText(nextCursor, paper),
  ),
);

export const discover: Command = {
  usage: 'discover <vertical>',
  summary: 'ZIPs to expand into, by radius or city',
  options: [
    brandOption(),
    new Option('--radius <miles>', 'how far from there').argParser(number),
    new Option('--near <zip>', 'around a ZIP, or a point: LAT,LNG'),
    new Option('--city <city>', 'in or around a city: "Plano, TX"'),
    new Option('--from <part>', 'around the brand’s border (default) or centroid'),
    minScoreOption(),
    ...pageOptions(),
  ],
  examples: [
    'discover roofing --brand lone-star-roofing --radius 10 --limit 10',
    'discover hvac --near 85015 --radius 5 --min-score 80',
    'discover hvac --near 33.45,-112.07 --radius 5',
    'discover roofing --city "Plano, TX" --json',
  ],
  call: ([vertical], { brand, radius, near, city, from, minScore, ...paging }) => {
    const input = { vertical, brand, radiusMiles: radius, city, from, minScore, ...nearOf(near) };
    return pagedCall('service_discover_zips', input, paging, 'zips', text);
  },
};

function nearOf(near: string | undefined) {
  const [, lat, lng] = /^\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*$/.exec(near ?? '') ?? [];
  return lat === undefined
    ? { nearZip: near }
    : { nearPoint: { lat: Number(lat), lng: Number(lng) } };
}
