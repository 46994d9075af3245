import type { LimitReason } from '../../../people/metering/figures.ts';
import { html, type Html } from '../html.ts';
import type { Links } from '../links.ts';

/** Explains why a page lacks figures. @param what the missing figures: `Households and balance` */
export const withheldNotice = (what: string, { withheld }: LimitReason, links: Links): Html =>
  html`<p class="notice">
    ${what} can’t be shown. ${withheld}
    <a href="${links.page('/account/subscription')}">See your subscription</a>
  </p>`;
