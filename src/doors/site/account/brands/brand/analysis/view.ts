/** Measures of a brand's territory, which its own page leaves out because most people look at them rarely. */
import { isWithheld } from '../../../../../../people/metering/figures.ts';
import { html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import type { AccountContent } from '../../../frame.ts';
import { withheldNotice } from '../../../withheld-notice.ts';
import { brandPageOf } from '../frame.ts';
import { censusSection } from './census.ts';
import type { AnalysisContent } from './content.ts';
import { shapeSection } from './shape.ts';
import { whiteSpaceSection } from './white-space.ts';

export function analysisPage(content: AnalysisContent, links: Links): AccountContent {
  const { brand, counts, health } = content;
  const isEmpty = counts.live + counts.pending === 0;
  const main = html`${isEmpty && html`<p class="quiet">${brand.name} holds no ZIP codes yet.</p>`}
  ${isWithheld(health) && withheldNotice('Households and balance', health, links)}
  ${whiteSpaceSection(content, links)} ${censusSection(brand, content.census, links)}
  ${shapeSection(content, links)}`;
  return brandPageOf({ brand, under: '/analysis', main }, links);
}
