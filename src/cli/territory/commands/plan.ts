/** `territory plan`: which ZIPs of a market to go for, and why. */
import { Option } from 'commander';
import { z } from 'zod';
import { count } from '../../figures.ts';
import { entries, wrapped } from '../../table.ts';
import { paragraphs, plainCall, reading, type Command } from '../command.ts';
import { marketOf, zipsOf } from '../market.ts';
import { collect, minScoreOption, number, verticalOption } from '../options.ts';
import { placeText } from '../place-text.ts';

const TerritoryPlan = z.object({
  market: z.object({ name: z.string() }),
  verticalLabel: z.string(),
  summary: z.string(),
  recommendations: z.array(
    z.object({
      rank: z.number(),
      zipCode: z.string(),
      city: z.string().nullable(),
      state: z.string().nullable(),
      score: z.number(),
      demand: z.string(),
      reasons: z.array(z.string()),
      cautions: z.array(z.string()),
      heldBy: z.array(z.string()),
    }),
  ),
  nextActions: z.array(z.object({ action: z.string() })),
  sourceNotes: z.array(z.string()),
});

const text = reading(TerritoryPlan, (plan, paper) =>
  paragraphs(
    paper.paint('bold', `${plan.verticalLabel} in ${plan.market.name}`),
    wrapped(plan.summary, paper.width).join('\n'),
    entries(
      paper,
      'ZIPs to go for, best first',
      plan.recommendations.map((zip) => ({
        mark: count(zip.rank),
        name: `${zip.zipCode}  ${placeText(zip)}  ${count(zip.score)}, ${zip.demand} demand`,
        note: [
          ...zip.reasons,
          ...zip.cautions.map((caution) => `but ${caution}`),
          ...(zip.heldBy.length > 0 ? [`held by ${zip.heldBy.join(', ')}`] : []),
        ].join('; '),
      })),
    ),
    ['Next:', ...plan.nextActions.map(({ action }) => hanging(action, paper.width))].join('\n'),
    plan.sourceNotes
      .flatMap((note) => wrapped(note, paper.width))
      .map((line) => paper.paint('dim', line))
      .join('\n'),
  ),
);

const hanging = (text: string, width: number) => `- ${wrapped(text, width - 2).join('\n  ')}`;

export const plan: Command = {
  usage: 'plan <market...>',
  summary: 'which ZIPs of a metro, or of some ZIPs, to go for',
  options: [
    verticalOption('what the territory is for').makeOptionMandatory(),
    new Option('--size <zips>', 'ZIPs wanted (default: 25)').argParser(number),
    new Option('--contiguous', 'only ZIPs that hang together'),
    minScoreOption(),
    new Option('--exclude <zips>', 'leave these out; may be repeated').argParser(collect),
    new Option('--exclude-held', 'leave out what your brands hold'),
  ],
  examples: [
    'plan dallas-tx --vertical roofing --size 10 --contiguous',
    'plan 75201 75204 75214 --vertical hvac',
    'plan phoenix-az --vertical hvac --exclude-held --json',
  ],
  call: async (market, { vertical, size, contiguous, minScore, exclude, excludeHeld }, given) => {
    const excludeZips = exclude && (await zipsOf(exclude as string[], given));
    const constraints = { contiguous, minScore, excludeZips, excludeHeld };
    const body = { ...(await marketOf(market, given)), vertical, size, constraints };
    const call = { path: '/agent/territory-plan', body, type: 'application/json' };
    return { ...plainCall(call, text), needsKey: true };
  },
};
