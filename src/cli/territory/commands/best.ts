/** `territory best`: the best ZIPs of a metro for a vertical. */
import { PublicBestZips } from '../../../contract/resources.ts';
import { path } from '../call.ts';
import { jsonCall, paragraphs, reading, type Command } from '../command.ts';
import { rankingText } from '../ranking-text.ts';
import { sourceText } from '../source-text.ts';

const text = reading(PublicBestZips, (answer, paper) =>
  paragraphs(
    paper.paint('bold', `Best ZIPs for ${answer.verticalSlug} in ${answer.metroSlug}`),
    rankingText(answer.zips, paper, answer.sampled),
    sourceText(answer, paper),
  ),
);

export const best: Command = {
  usage: 'best <metro> <vertical>',
  summary: 'the best ZIPs of a metro for a vertical',
  examples: ['best dallas-tx roofing', 'best seattle-wa hvac --json'],
  call: ([metro, vertical]) =>
    jsonCall(path`/public/metro/${metro!}/vertical/${vertical!}/best-zips`, text),
};
