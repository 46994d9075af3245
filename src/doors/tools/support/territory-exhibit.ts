/** Makes a territory exhibit. It costs as much as a picture plus an export of its figures. */
import { z } from 'zod';
import type { Caller } from '../../../people/account/caller.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import type { Database } from '../../../base/db/database.ts';
import { EXPORT_PRICE_TEXT, runMeteredExport } from '../../../people/metering/exports.ts';
import { findBrand, type Brand } from '../../../territories/brands/brands.ts';
import { makeExhibit, type Exhibit } from '../../../territories/brands/exhibit/exhibit.ts';
import { ORIENTATIONS, PAPERS } from '../../../territories/brands/exhibit/pages.ts';
import { pinsOf, PUBLIC_KINDS } from '../../../territories/places/pins.ts';
import { visibleDataOf } from '../../../territories/own-data/viewer-data.ts';
import { formatDay, isDay } from '../../../base/text/days.ts';
import { asOf } from '../../../base/contract/as-of.ts';
import { compareDays } from '../../../territories/record/comparison.ts';
import type { ExhibitChanges } from '../../../territories/brands/exhibit/content.ts';
import { brand, dataSets, vertical } from './fields.ts';
import { renderTerritoryMap } from '../render-territory-map.ts';

/** Name in the usage records, next to the tools' names */
const METERED_AS = 'territory_exhibit';

export const PDF = 'application/pdf';

/** Price without the rows with figures */
export const EXHIBIT_UNITS = renderTerritoryMap.units;

export const EXHIBIT_PRICE_TEXT =
  `${EXHIBIT_UNITS} units, like a picture, plus ${EXPORT_PRICE_TEXT}. ZIP codes that were exported ` +
  'earlier this month are free';

export const TerritoryExhibitRequest = z
  .strictObject({
    brand,
    vertical: vertical.optional().meta({ description: 'Adds the scores of this vertical' }),
    paper: z.enum(PAPERS).default('letter').meta({ description: 'US Letter or A4' }),
    orientation: z
      .enum(ORIENTATIONS)
      .default('auto')
      .meta({ description: '`auto`: landscape for a wide territory' }),
    dataSets: dataSets(2),
    places: z
      .boolean()
      .default(false)
      .meta({
        description: 'Shows the places of the brand on the maps, never those of competitors',
      }),
    asOf: asOf.optional(),
    changesSince: asOf
      .optional()
      .meta({
        description:
          'Adds a page with what the brand took and gave up since the end of this day, or this moment',
      }),
    fixedBoundaries: z
      .boolean()
      .default(false)
      .meta({
        description:
          'States that the area is that of the boundaries of the day, whatever later changes',
      }),
    maxUnits: z
      .int()
      .min(0)
      .optional()
      .meta({
        description:
          'Maximum price in units; a higher price gets 409. Default: what the subscription has left',
      }),
  })
  .meta({ id: 'TerritoryExhibitRequest', examples: [{ brand: 'lone-star-roofing' }] });

export type TerritoryExhibitRequest = z.output<typeof TerritoryExhibitRequest>;

interface NamedExhibit extends Exhibit {
  /** Example: `lone-star-roofing-exhibit-2026-11-22.pdf` */
  fileName: string;
}

/**
 * Makes and charges an exhibit.
 * @param caller with territories as of the moment to document
 * @throws ServiceError 402, 404, and 503 as `requireMeteredAccess`, `findBrand`, `runMeteredExport`, and
 *   `makeExhibit`; 409 above `maxUnits`
 */
export async function territoryExhibit(
  { db, renderer }: { db: Database; renderer: MapRenderer },
  caller: Caller,
  {
    brand: ref,
    vertical,
    paper,
    orientation,
    maxUnits = Infinity,
    dataSets: named = [],
    places,
    asOf: to,
    changesSince,
    fixedBoundaries,
  }: TerritoryExhibitRequest,
  signal?: AbortSignal,
): Promise<NamedExhibit> {
  const found = await findBrand(caller.tenant, caller.brandScope, ref);
  const data = await visibleDataOf(caller, named);
  const pins = places ? await pinsOf(caller.tenant, PUBLIC_KINDS, found.id) : [];
  const changes =
    changesSince === undefined ? null : await changesOf(caller, found, changesSince, to);
  const shown = { vertical: vertical ?? null, paper, orientation, data, pins, changes };
  const options = { ...shown, fixedBoundaries };
  const charge = <T>(live: readonly string[], work: () => Promise<T>) =>
    runMeteredExport(caller, live, maxUnits, { tool: METERED_AS, units: EXHIBIT_UNITS, work });
  const exhibit = await makeExhibit(db, renderer, caller, found, options, charge, signal);
  return { ...exhibit, fileName: `${found.slug}-exhibit-${exhibit.day}.pdf` };
}

/** @throws ServiceError 400 as `compareDays` */
async function changesOf(
  caller: Caller,
  { id }: Brand,
  from: string,
  to: string | undefined,
): Promise<ExhibitChanges> {
  const { zips, withheld } = await compareDays(caller, { from, to, brandId: id });
  return {
    since: isDay(from) ? formatDay(from) : from,
    withheld,
    zips: zips.map((row) => {
      const isTaken = row.to.some((brand) => brand.id === id);
      const others = (isTaken ? row.from : row.to).map(({ name }) => name);
      return { zip: row.zip, isTaken, others, households: row.households };
    }),
  };
}
