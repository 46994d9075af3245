/** A territory as a picture, with its legend. */
import type { Database } from '../../../base/db/database.ts';
import { boundariesAsOf } from '../../../base/db/boundaries-as-of.ts';
import { notFound } from '../../../errors.ts';
import { momentWords } from '../../../people/account/days/as-of.ts';
import type { PictureOptions } from '../../../maps/cartography/picture-options.ts';
import { MAP_DATASETS } from '../../../maps/cartography/zip-map.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import { brandedHeading, brandingOf, type Branding } from '../branding.ts';
import { statusColoring } from '../coloring.ts';
import type { Export } from './zips.ts';

/**
 * Draws a territory.
 * @param branding default: the brand's own
 * @returns the picture in the format of the look. Default: PNG
 * @throws ServiceError 404 for a brand that holds no ZIP code; 400 for an unsupported size
 */
export async function territoryPicture(
  db: Database,
  renderer: MapRenderer,
  { tenant, brand }: Pick<Export, 'tenant' | 'brand'>,
  look: Pick<PictureOptions, 'style' | 'width' | 'height' | 'pixelRatio' | 'format' | 'pins'>,
  branding?: Branding,
): Promise<Buffer> {
  const past = await momentWords(tenant);
  const own = branding ?? (await brandingOf(tenant, brand));
  const heading = brandedHeading(brand.name, own, past?.words);
  const coloring = await statusColoring(tenant, brand);
  if (coloring.statuses.size === 0) {
    throw notFound(`${brand.name} holds no ZIP codes yet. Add some, then export the picture.`);
  }
  const { picture } = await renderer
    .data(boundariesAsOf(db, tenant.moment), MAP_DATASETS)
    .read((db) =>
      renderer.drawMap(db, { ...look, zips: [...coloring.statuses.keys()], coloring, ...heading }),
    );
  return picture;
}
