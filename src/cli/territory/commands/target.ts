/** `territory target`: ZIPs by the organisation's own weights and by demographics. */
import { InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { count, scoreBar } from '../../figures.ts';
import { table } from '../../table.ts';
import { paragraphs, reading, type Command } from '../command.ts';
import { zipsOf } from '../market.ts';
import { brandOption, minScoreOption } from '../options.ts';
import { moreText, pagedCall, pageOptions } from '../paged-call.ts';
import { figure, HOUSEHOLDS, RankedZip, RANKING } from '../ranked-zip.ts';
import { sourceText } from '../source-text.ts';

const Targets = z.object({
  ownWeights: z.boolean(),
  zips: z.array(RankedZip.extend({ publicScore: figure })),
  total: z.number(),
  filteredOut: z.number(),
  withoutScore: z.number(),
  nextCursor: z.string().nullable(),
  vintage: z.string(),
});

const text = reading(Targets, (answer, paper) => {
  const weights = answer.ownWeights ? 'your own weights' : 'the public weights';
  const left =
    `${count(answer.total)} ZIPs; filters drop ${count(answer.filteredOut)}, ` +
    `${count(answer.withoutScore)} have no score`;
  return paragraphs(
    paper.paint('bold', `By ${weights}`) + paper.paint('dim', `  (${left})`),
    table(
      paper,
      [
        ...RANKING,
        { heading: 'Public', cell: (zip) => count(zip.publicScore), right: true },
        HOUSEHOLDS,
        { heading: '', cell: (zip) => scoreBar(paper, zip.score), spare: 1 },
      ],
      answer.zips,
    ) || '  No ZIP is left: widen the filters or lower --min-score.',
    moreText(answer.nextCursor, paper),
    sourceText(answer, paper),
  );
});

type Filters = Record<string, { min?: number; max?: number }>;

/** `ownerOccupiedPct=60..`, `medianHomeValue=250000..800000`; which fields there are, the service tells. */
function filter(text: string, before: Filters = {}): Filters {
  const [, field, min, max] = /^(\w+)=(-?[\d.]*?)\.\.(-?[\d.]*)$/.exec(text) ?? [];
  const range = { ...(min && { min: Number(min) }), ...(max && { max: Number(max) }) };
  const bounds = Object.values(range);
  if (!field || bounds.length === 0 || bounds.some(Number.isNaN)) {
    throw new InvalidArgumentError('Expected FIELD=MIN..MAX; one of the two may be left out.');
  }
  return { ...before, [field]: range };
}

export const target: Command = {
  usage: 'target <vertical>',
  summary: 'ZIPs ranked by your own weights, and filtered',
  options: [
    new Option('--metro <metro>', 'where to look: a launched metro'),
    new Option('--state <code>', 'or a state, such as TX'),
    brandOption().conflicts(['metro', 'state', 'zips']),
    new Option('--zips <zips>', 'or some ZIPs').conflicts(['metro', 'state']),
    new Option('--filter <range>', 'such as ownerOccupiedPct=60.. ; may be repeated').argParser(
      filter,
    ),
    minScoreOption(),
    ...pageOptions(),
  ],
  examples: [
    'target roofing --metro dallas-tx --filter ownerOccupiedPct=60..',
    'target hvac --state AZ --filter medianHomeValue=250000..800000 --limit 10',
    'target roofing --brand lone-star-roofing --all --json',
  ],
  call: async ([vertical], { metro, state, brand, zips, filter, minScore, ...paging }, given) => {
    const where = { metro, state, brand, zips: zips && (await zipsOf([zips as string], given)) };
    const input = { vertical, ...where, filters: filter as Filters | undefined, minScore };
    return pagedCall('service_query_targeting', input, paging, 'zips', text);
  },
};
