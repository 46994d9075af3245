import { path } from '../call.ts';
import { formatter, jsonCall, paragraphs, type Command } from '../command.ts';
import { formatRanking } from '../format-ranking.ts';
import { formatSource } from '../format-source.ts';
import { metroName, verticalName } from '../../names.ts';

const format = formatter(
  async () => (await import('../../../contract/vertical-resources.ts')).PublicBestZips,
  (answer, layout) =>
    paragraphs(
      layout.paint(
        'bold',
        `Best ZIP codes for ${verticalName(answer.verticalSlug)} in ${metroName(answer.metroSlug)}`,
      ),
      formatRanking(answer.zips, layout, answer.sampled),
      formatSource(answer, layout),
    ),
);

export const best: Command = {
  usage: 'best <metro> <vertical>',
  summary: 'rank the best ZIP codes of a metro for a vertical',
  examples: ['best dallas-tx roofing', 'best seattle-wa hvac --json'],
  call: ([metro, vertical]) =>
    jsonCall(path`/public/metro/${metro!}/vertical/${vertical!}/best-zips`, format),
};
