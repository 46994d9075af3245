/** The picture of a nearest place: a pin on a plain map, without any ZIP code of the territory. */
import type { Queryable } from '../../base/db/database.ts';
import { bboxAround } from '../../base/spatial/bbox.ts';
import { fitBbox } from '../../base/spatial/camera.ts';
import type { MapRenderer } from '../../maps/cartography/map-renderer.ts';
import type { PictureOptions } from '../../maps/cartography/picture-options.ts';
import type { NearbyPlace } from './answer.ts';

/** The surroundings of the pin, in degrees: about five miles */
const AROUND = 0.035;

export async function drawNearestPlace(
  db: Queryable,
  renderer: MapRenderer,
  { kind, name, lng, lat }: NearbyPlace,
  look: PictureOptions,
): Promise<Buffer> {
  const view = bboxAround([[lng - AROUND, lat - AROUND, lng + AROUND, lat + AROUND]]);
  const { picture } = await renderer.drawMap(db, {
    ...look,
    title: '',
    zips: [],
    coloring: { by: 'status', statuses: new Map() },
    heading: { title: '', subtitle: null },
    fallbackBbox: view,
    camera: fitBbox(view, look.width, look.height, 0),
    pins: [{ kind, name, lngLat: [lng, lat] }],
  });
  return picture;
}
