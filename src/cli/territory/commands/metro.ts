/** `territory metro`: demand for a vertical in a metro. */
import { PublicMetroVertical } from '../../../contract/resources.ts';
import { count, lengthBar, oneDecimal } from '../../figures.ts';
import { table } from '../../table.ts';
import { path } from '../call.ts';
import { jsonCall, paragraphs, reading, type Command } from '../command.ts';
import { rankingText } from '../ranking-text.ts';
import { sourceText } from '../source-text.ts';

const text = reading(PublicMetroVertical, (answer, paper) => {
  const bins = answer.scoreDistribution ?? [];
  const largest = Math.max(1, ...bins.map((bin) => bin.count));
  return paragraphs(
    paper.paint(
      'bold',
      `${answer.verticalLabel ?? answer.verticalSlug} in ${answer.metroLabel ?? answer.metroSlug}`,
    ),
    `  ${count(answer.zipCount)} ZIPs, ${count(answer.scoredZipCount)} of them scored; ` +
      `average score ${paper.paint('bold', oneDecimal(answer.averageScore))}`,
    table(
      paper,
      [
        { heading: 'Score', cell: (bin) => `${bin.from}–${bin.to}`, right: true },
        { heading: 'ZIPs', cell: (bin) => count(bin.count), right: true },
        { heading: '', cell: (bin) => lengthBar(paper, bin.count, largest) },
      ],
      bins,
    ),
    rankingText(answer.topZips ?? [], paper, answer.sampled),
    sourceText(answer, paper),
  );
});

export const metro: Command = {
  usage: 'metro <metro> <vertical>',
  summary: 'demand for a vertical in a metro',
  examples: ['metro dallas-tx roofing', 'metro denver-co moving --json'],
  call: ([metro, vertical]) => jsonCall(path`/public/metro/${metro!}/vertical/${vertical!}`, text),
};
