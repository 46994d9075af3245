/** Columns of a ranking of ZIP codes. */
import type { z } from 'zod';
import type { rankedZip } from '../../agent/fields.ts';
import { formatCount } from '../../text/words.ts';
import type { Column } from '../table.ts';
import { formatPlace } from './format-place.ts';

type RankedZip = z.output<typeof rankedZip>;

export const RANKING: Column<RankedZip>[] = [
  { heading: 'Rank', cell: ({ rank }) => formatCount(rank), right: true },
  { heading: 'ZIP', cell: ({ zip }) => zip },
  { heading: 'Place', cell: formatPlace },
  { heading: 'Score', cell: ({ score }) => formatCount(score), right: true },
];

export const HOUSEHOLDS: Column<RankedZip> = {
  heading: 'Households',
  cell: ({ households }) => formatCount(households),
  right: true,
};
