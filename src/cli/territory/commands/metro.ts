import { lengthBar } from '../../bars.ts';
import { formatCount, formatTenths } from '../../../text/words.ts';
import { formatTable } from '../../table.ts';
import { path } from '../call.ts';
import { formatter, jsonCall, paragraphs, type Command } from '../command.ts';
import { formatRanking } from '../format-ranking.ts';
import { formatSource } from '../format-source.ts';

const format = formatter(
  async () => (await import('../../../contract/vertical-resources.ts')).PublicMetroVertical,
  (answer, layout) => {
    const bins = answer.scoreDistribution ?? [];
    const largest = Math.max(1, ...bins.map((bin) => bin.count));
    return paragraphs(
      layout.paint(
        'bold',
        `${answer.verticalLabel ?? answer.verticalSlug} in ${answer.metroLabel ?? answer.metroSlug}`,
      ),
      `  ${formatCount(answer.zipCount)} ZIP codes, ${formatCount(answer.scoredZipCount)} scored; ` +
        `average score ${layout.paint('bold', formatTenths(answer.averageScore))}`,
      formatTable(
        layout,
        [
          { heading: 'Score', cell: (bin) => `${bin.from}–${bin.to}`, right: true },
          { heading: 'ZIP codes', cell: (bin) => formatCount(bin.count), right: true },
          { heading: '', cell: (bin) => lengthBar(layout, bin.count, largest) },
        ],
        bins,
      ),
      formatRanking(answer.topZips ?? [], layout, answer.sampled),
      formatSource(answer, layout),
    );
  },
);

export const metro: Command = {
  usage: 'metro <metro> <vertical>',
  summary: 'show demand for a vertical in a metro',
  examples: ['metro dallas-tx roofing', 'metro denver-co moving --json'],
  call: ([metro, vertical]) =>
    jsonCall(path`/public/metro/${metro!}/vertical/${vertical!}`, format),
};
