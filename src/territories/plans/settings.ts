/** Settings that decide how a plan measures and compares territories. */
import { z } from 'zod';
import { VERTICALS, type VerticalSlug } from '../../data/scoring/verticals.ts';
import { BALANCE_MEASURES } from '../brands/measures.ts';

const SLUGS = VERTICALS.map(({ slug }) => slug) as [VerticalSlug, ...VerticalSlug[]];

export const PlanSettings = z.object({
  balance: z
    .enum(BALANCE_MEASURES)
    .default('households')
    .meta({
      description:
        'Measure to balance the territories by. `opportunity` is households weighted by score.',
    }),
  vertical: z
    .enum(SLUGS)
    .default('roofing')
    .meta({ description: 'Vertical of the scores and of `opportunity`' }),
});

/** Settings of a plan. Unlike the schema, they may name an uploaded measure. */
export interface PlanSettings extends Omit<z.output<typeof PlanSettings>, 'balance'> {
  /** A built-in measure, or the name of an uploaded one */
  balance: string;
}
