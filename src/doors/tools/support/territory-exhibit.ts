/** Makes a territory exhibit. It costs as much as a picture plus an export of its figures. */
import { z } from 'zod';
import type { Caller } from '../../../people/account/caller.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import type { Database } from '../../../base/db/database.ts';
import { EXPORT_PRICE_TEXT, runMeteredExport } from '../../../people/metering/exports.ts';
import { findBrand } from '../../../territories/brands/brands.ts';
import { makeExhibit, type Exhibit } from '../../../territories/brands/exhibit/exhibit.ts';
import { ORIENTATIONS, PAPERS } from '../../../territories/brands/exhibit/pages.ts';
import { pinsOf, PUBLIC_KINDS } from '../../../territories/places/pins.ts';
import { visibleDataOf } from '../../../territories/own-data/viewer-data.ts';
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
  }: TerritoryExhibitRequest,
  signal?: AbortSignal,
): Promise<NamedExhibit> {
  const found = await findBrand(caller.tenant, caller.brandScope, ref);
  const data = await visibleDataOf(caller, named);
  const pins = places ? await pinsOf(caller.tenant, PUBLIC_KINDS, found.id) : [];
  const options = { vertical: vertical ?? null, paper, orientation, data, pins };
  const charge = <T>(live: readonly string[], work: () => Promise<T>) =>
    runMeteredExport(caller, live, maxUnits, { tool: METERED_AS, units: EXHIBIT_UNITS, work });
  const exhibit = await makeExhibit(db, renderer, caller, found, options, charge, signal);
  return { ...exhibit, fileName: `${found.slug}-exhibit-${exhibit.day}.pdf` };
}
