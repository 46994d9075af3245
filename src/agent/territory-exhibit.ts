/** A territory exhibit; it costs as many units as a picture. */
import { z } from 'zod';
import { requireAccess } from '../account/access.ts';
import type { Caller } from '../account/caller.ts';
import type { Database } from '../db/database.ts';
import { metered } from '../metering/units.ts';
import { findBrand } from '../territory/brands.ts';
import { makeExhibit, type Exhibit } from '../territory/exhibit/exhibit.ts';
import { ORIENTATIONS, PAPERS } from '../territory/exhibit/pages.ts';
import { brand, vertical } from './fields.ts';
import { renderTerritoryMap } from './tools/render-territory-map.ts';

/** Name in the usage records, among those of the tools */
const METERED_AS = 'territory_exhibit';

export const PDF = 'application/pdf';

export const EXHIBIT_UNITS = renderTerritoryMap.units;

export const TerritoryExhibitRequest = z
  .object({
    brand,
    vertical: vertical.optional().meta({ description: 'Adds the scores of this vertical' }),
    paper: z.enum(PAPERS).default('letter').meta({ description: 'US Letter or A4' }),
    orientation: z
      .enum(ORIENTATIONS)
      .default('auto')
      .meta({ description: '`auto`: landscape for a wide territory' }),
  })
  .meta({ id: 'TerritoryExhibitRequest', examples: [{ brand: 'lone-star-roofing' }] });

export type TerritoryExhibitRequest = z.output<typeof TerritoryExhibitRequest>;

export interface NamedExhibit extends Exhibit {
  /** `lone-star-roofing-exhibit-2026-11-22.pdf` */
  fileName: string;
}

/** @throws ServiceError 402, 404, and 503 as `requireAccess`, `findBrand`, `metered`, and `makeExhibit` */
export async function territoryExhibit(
  db: Database,
  caller: Caller,
  { brand: ref, vertical, paper, orientation }: TerritoryExhibitRequest,
  signal?: AbortSignal,
): Promise<NamedExhibit> {
  requireAccess(caller);
  const found = await findBrand(caller.tenant, caller.brandScope, ref);
  const options = { vertical: vertical ?? null, paper, orientation };
  const exhibit = await metered(caller, { tool: METERED_AS, units: EXHIBIT_UNITS }, () =>
    makeExhibit(db, caller, found, options, signal),
  );
  return { ...exhibit, fileName: `${found.slug}-exhibit-${exhibit.day}.pdf` };
}
