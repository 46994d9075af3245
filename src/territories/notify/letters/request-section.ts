/** A request in an email to reviewers: who wants what, its effect, and a small map. */
import { actorName, type Caller } from '../../../people/account/caller.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import { MAP_DATASETS } from '../../../maps/cartography/zip-map.ts';
import type { Database } from '../../../base/db/database.ts';
import type { Picture, Section } from '../../../people/mail/letter.ts';
import { fitBbox } from '../../../base/spatial/camera.ts';
import { statusColoring } from '../../brands/coloring.ts';
import { effectOfChange, type Effect } from '../../brands/effect.ts';
import { readRuleFacts } from '../../brands/groups/facts.ts';
import { groupRefusals, listRefusals } from '../../brands/groups/refusal-words.ts';
import { settleClaims } from '../../brands/groups/rules.ts';
import { extentOfZips } from '../../brands/map-zips.ts';
import type { OpenRequest } from '../../brands/open-requests.ts';
import { formatCount, joinFirst, joinWithAnd, pluralize } from '../../../base/text/words.ts';

const MAX_NAMED = 12;

/** @param link to the request in the review queue */
export async function requestSection(
  { db, renderer, caller }: { db: Database; renderer: MapRenderer; caller: Caller },
  request: OpenRequest,
  { isReminder, hasMap, link }: { isReminder: boolean; hasMap: boolean; link: string },
): Promise<Section> {
  const { brand, requestedBy, zips, note } = request;
  // Pending ZIP codes count as held, so the effect of the request is that of its removal, backward.
  const effect = await effectOfChange(db, caller, caller.brandScope, brand, { removed: zips });
  return {
    heading: `${brand.name}: ${pluralize(zips.length, 'ZIP code')}`,
    paragraphs: [
      `${actorName(requestedBy)} requested ${joinFirst(zips, MAX_NAMED)}.` +
        (isReminder ? ' This request has waited for three days.' : ''),
      ...(note === null ? [] : [`“${note}”`]),
      effectText(effect, zips),
      ...(await refusalText(caller, request)),
    ],
    picture: hasMap ? await mapOfRequest(db, renderer, caller, request) : undefined,
    link: { label: 'Review this request', url: link },
  };
}

/** Says which ZIP codes a rule of a group doesn't let anyone approve. */
async function refusalText({ tenant }: Caller, { brand, zips }: OpenRequest): Promise<string[]> {
  const facts = await readRuleFacts(tenant, [brand.id], zips);
  const { refused } = settleClaims(
    zips.map((zip) => ({ brand, zip })),
    facts,
  );
  return refused.length === 0
    ? []
    : [`These can’t be approved: ${listRefusals(groupRefusals(refused))}.`];
}

/** Describes an effect backward: `before` is with the request. */
function effectText({ before, after, sharedWith }: Effect, zips: readonly string[]): string {
  const households =
    before.households === null || after.households === null
      ? []
      : [
          `It adds ${pluralize(before.households - after.households, 'household')}, for ${formatCount(before.households)} in all.`,
        ];
  const pieces =
    before.pieces === after.pieces
      ? `The territory stays in ${pluralize(before.pieces, 'piece')}.`
      : `The territory would have ${pluralize(before.pieces, 'piece')} instead of ${formatCount(after.pieces)}.`;
  const shared = zips.filter((zip) => sharedWith.has(zip));
  const holders = new Set(shared.flatMap((zip) => sharedWith.get(zip)!.map(({ name }) => name)));
  const overlap =
    shared.length === 0
      ? 'No other brand of yours holds any of these ZIP codes.'
      : `${joinWithAnd([...holders])} already ${holders.size === 1 ? 'holds' : 'hold'} ${joinFirst(shared, MAX_NAMED)}.`;
  return [...households, pieces, overlap].join(' ');
}

const MAP = { width: 560, height: 300, pixelRatio: 2, paddingPx: 56 };
/** A single small ZIP code still shows where it is. */
const MAX_ZOOM = 11.5;

/** @returns undefined if none of the ZIP codes has a boundary */
async function mapOfRequest(
  db: Database,
  renderer: MapRenderer,
  { tenant }: Caller,
  { brand, zips }: OpenRequest,
): Promise<Picture | undefined> {
  const { width, height, pixelRatio, paddingPx } = MAP;
  const { bbox, withoutBoundary } = await extentOfZips(tenant.common, zips);
  if (withoutBoundary === zips.length) return undefined;
  const { statuses, ...flags } = await statusColoring(tenant, brand);
  const requested = new Set(zips);
  // Without the ZIP codes of other requests, which the reader can't tell from this one
  const shown = new Map([...statuses].filter(([zip, one]) => one === 'live' || requested.has(zip)));
  const { center, zoom } = fitBbox(bbox, width, height, paddingPx);
  const { picture } = await renderer
    .data(db, MAP_DATASETS)
    .read((data) =>
      renderer.drawMap(data, {
        style: 'light',
        width,
        height,
        pixelRatio,
        title: '',
        insets: false,
        zips: [...shown.keys()].sort(),
        coloring: { ...flags, statuses: shown },
        heading: { title: brand.name, subtitle: null },
        camera: { center, zoom: Math.min(zoom, MAX_ZOOM) },
      }),
    );
  const alt = `Map of ${pluralize(zips.length, 'ZIP code')} requested for ${brand.name}`;
  return { bytes: picture, alt, width };
}
