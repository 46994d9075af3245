/** A ZIP in a ranking that a tool tells: what it looks like, and how it is shown. */
import { z } from 'zod';
import { count } from '../figures.ts';
import type { Column } from '../table.ts';
import { placeText } from './place-text.ts';

export const figure = z.number().nullable();

export const RankedZip = z.object({
  rank: z.number(),
  zip: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  score: z.number(),
  households: figure,
});

export const RANKING: Column<z.output<typeof RankedZip>>[] = [
  { heading: 'Rank', cell: ({ rank }) => count(rank), right: true },
  { heading: 'ZIP', cell: ({ zip }) => zip },
  { heading: 'Place', cell: placeText },
  { heading: 'Score', cell: ({ score }) => count(score), right: true },
];

export const HOUSEHOLDS: (typeof RANKING)[number] = {
  heading: 'Households',
  cell: ({ households }) => count(households),
  right: true,
};
