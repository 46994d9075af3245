/** What new boundaries took from a brand's territory, on a small map, with the change that restores it. */
import {
  boundaryParts,
  outlinesOf,
  type OutlinePair,
} from '../../../../../data/ingest/boundary-changes/store.ts';
import {
  brandLossText,
  lossesOfBrand,
  type BrandLosses,
} from '../../../../../territories/brands/boundaries/losses.ts';
import type { Brand } from '../../../../../territories/brands/brands.ts';
import { joinFirst, pluralize } from '../../../../../base/text/words.ts';
import type { MemberVisit } from '../../../framework/visit.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import { MAX_ZIPS_IN_LINK, workspaceLink } from '../../../workspace/link.ts';

export interface BoundaryContent extends BrandLosses {
  /** Null for many ZIP codes, or without outlines */
  outlines: OutlinePair | null;
}

/** More would be too small to see. */
const MOST_ON_MAP = 12;
/** The most important ones; the event and its email have more */
const MOST_LISTED = 20;

export async function loadBoundaryLosses(
  { caller: { tenant } }: MemberVisit,
  brand: Brand,
): Promise<BoundaryContent | null> {
  const found = await lossesOfBrand(tenant, brand);
  if (!found) return null;
  const zips = found.losses.map(({ zip }) => zip);
  if (zips.length > MOST_ON_MAP) return { ...found, outlines: null };
  const { common } = tenant;
  const parts = await boundaryParts(common, found.report.id, zips);
  const now = new Set(parts.flatMap(({ nowIn }) => nowIn ?? []));
  return { ...found, outlines: await outlinesOf(common, found.report.id, zips, [...now]) };
}

export function boundarySection(
  brand: Brand,
  found: BoundaryContent | null,
  links: Links,
): Html | false {
  if (!found) return false;
  const { report, losses, restoring, outlines } = found;
  const more = losses.length - MOST_LISTED;
  return html`<section id="boundaries" class="boundary-losses" aria-labelledby="boundaries-title">
    <h2 id="boundaries-title">New boundaries took ground</h2>
    <p>
      ${report.vintageAfter} replaced ${report.vintageBefore}. The agreed area of
      ${pluralize(losses.length, 'ZIP code')} is now partly elsewhere.
    </p>
    <div class="columns">
      <ul>
        ${losses.slice(0, MOST_LISTED).map((loss) => html`<li>${brandLossText(loss)}.</li>`)}
        ${more > 0 && html`<li>${more} more</li>`}
      </ul>
      ${outlines && map(outlines)}
    </div>
    ${
      restoring.length > 0 &&
      html`<p class="actions">
        <a
          class="button"
          href="${workspaceLink({ brand: brand.slug, zips: restoring.slice(0, MAX_ZIPS_IN_LINK) }, links)}"
          >Request ${joinFirst(restoring, 3)}</a
        >
        <span class="quiet"
          >This restores the agreed area, with the rest of
          ${restoring.length === 1 ? 'that ZIP code' : 'those ZIP codes'}, once a reviewer approves
          it.</span
        >
      </p>`
    }
  </section>`;
}

function map({ before, after, box }: OutlinePair): Html {
  const [left, top, width, height] = box;
  const [margin, size] = [0.04, 0.05].map((part) => part * Math.max(width, height)) as [
    number,
    number,
  ];
  const view = [left - margin, top - margin, width + 2 * margin, height + 2 * margin]
    .map((value) => value.toFixed(1))
    .join(' ');
  return html`<figure>
    <svg
      viewBox="${view}"
      preserveAspectRatio="xMinYMid"
      role="img"
      aria-label="Map of the boundaries before and after"
    >
      ${after.map(({ path }) => html`<path class="after" d="${path}" />`)}
      <path class="before" d="${before}" />
      ${after.map(
        ({ zip, x, y }) =>
          html`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${size.toFixed(1)}"
            >${zip}</text
          >`,
      )}
    </svg>
    <figcaption class="quiet small">Thick: before. Thin: now.</figcaption>
  </figure>`;
}
