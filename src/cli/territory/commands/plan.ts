import { formatCount } from '../../../text/words.ts';
import { formatEntries, wrapText } from '../../table.ts';
import { formatter, paragraphs, plainCall, type Command } from '../command.ts';
import { formatPlace } from '../format-place.ts';
import { readMarket, readZips } from '../market.ts';
import { territoryOptions, verticalOption } from '../options.ts';

const format = formatter(
  async () => (await import('../../../agent/territory-plan-schema.ts')).TerritoryPlan,
  (plan, layout) =>
    paragraphs(
      layout.paint('bold', `${plan.verticalLabel} in ${plan.market.name}`),
      wrapText(plan.summary, layout.width).join('\n'),
      formatEntries(
        layout,
        'Recommended ZIP codes, best first',
        plan.recommendations.map((zip) => ({
          mark: formatCount(zip.rank),
          name: `${zip.zipCode}  ${formatPlace(zip)}  ${formatCount(zip.score)}, ${zip.demand} demand`,
          note: [
            ...zip.reasons,
            ...zip.cautions.map((caution) => `but ${caution}`),
            ...(zip.heldByNames.length > 0 ? [`held by ${zip.heldByNames.join(', ')}`] : []),
          ].join('; '),
        })),
      ),
      ['Next steps:', ...plan.nextActions.map(({ action }) => bullet(action, layout.width))].join(
        '\n',
      ),
      plan.sourceNotes
        .flatMap((note) => wrapText(note, layout.width))
        .map((line) => layout.paint('dim', line))
        .join('\n'),
    ),
);

const bullet = (text: string, width: number) => `- ${wrapText(text, width - 2).join('\n  ')}`;

export const plan: Command = {
  usage: 'plan <market...>',
  summary: 'recommend ZIP codes of a market for a territory',
  options: [
    verticalOption('vertical of the territory').makeOptionMandatory(),
    ...territoryOptions(),
  ],
  examples: [
    'plan dallas-tx --vertical roofing --size 10 --contiguous',
    'plan 75201 75204 75214 --vertical hvac',
    'plan phoenix-az --vertical hvac --exclude-held --json',
  ],
  call: async (
    market,
    { vertical, size, contiguous, minScore, exclude, excludeHeld },
    readArgument,
  ) => {
    const excludeZips = exclude && (await readZips(exclude as string[], readArgument));
    const constraints = { contiguous, minScore, excludeZips, excludeHeld };
    const body = { ...(await readMarket(market, readArgument)), vertical, size, constraints };
    const call = { path: '/agent/territory-plan', body, type: 'application/json' };
    return { ...plainCall(call, format), needsKey: true };
  },
};
