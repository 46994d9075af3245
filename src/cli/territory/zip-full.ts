/** Everything known of a ZIP, for those who have a key. */
import { z } from 'zod';
import { count, oneDecimal, scoreBar } from '../figures.ts';
import { table, wrapped } from '../table.ts';
import { paragraphs, reading } from './command.ts';
import { placeText } from './place-text.ts';
import { sourceText } from './source-text.ts';
import { demographicsText } from './zip-demographics.ts';
import { figure } from './ranked-zip.ts';

const Profile = z.object({
  zip: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  metro: z.string().nullable(),
  landAreaSqMi: z.number(),
  demographics: z.record(z.string(), figure),
  flags: z.record(z.string(), z.string()),
  scores: z.array(z.object({ vertical: z.string(), score: figure, percentile: figure })),
  neighbors: z.array(z.object({ zip: z.string(), sharedBorderMiles: z.number() })),
  heldBy: z.array(z.object({ brand: z.string(), status: z.string() })),
  vintage: z.string().nullable(),
});

export const fullProfileText = reading(Profile, (profile, paper) => {
  const { zip, metro, landAreaSqMi, demographics, flags, scores, neighbors, heldBy } = profile;
  const where = metro ? `metro ${metro}, ` : '';
  const holders = heldBy.map(({ brand, status }) => `${brand} (${status})`);
  const borders = neighbors.map(
    ({ zip, sharedBorderMiles }) => `${zip} (${oneDecimal(sharedBorderMiles)} mi)`,
  );
  return paragraphs(
    paper.paint('bold', `${zip}  ${placeText(profile)}`) +
      paper.paint('dim', `  (${where}${oneDecimal(landAreaSqMi)} square miles)`),
    table(
      paper,
      [
        { heading: 'Demand for', cell: (score) => score.vertical },
        { heading: 'Score', cell: (score) => count(score.score), right: true },
        { heading: '', cell: (score) => scoreBar(paper, score.score) },
        { heading: 'Better than', cell: (score) => percentOfZips(score.percentile), right: true },
      ],
      scores.toSorted((a, b) => (b.percentile ?? -1) - (a.percentile ?? -1)),
    ),
    demographicsText(demographics, paper, flags),
    [`Held by ${holders.join(', ') || 'no brand of yours'}.`, bordersText(borders)]
      .flatMap((line) => wrapped(line, paper.width))
      .join('\n'),
    sourceText({ census: profile.vintage }, paper),
  );
});

const percentOfZips = (percentile: number | null) =>
  percentile === null ? '' : `${oneDecimal(percentile)} %`;

const bordersText = (borders: readonly string[]) =>
  borders.length > 0 ? `Borders on ${borders.join(', ')}.` : 'It borders on no other ZIP.';
