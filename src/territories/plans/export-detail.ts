/** The level of detail of boundaries in a plan's files. */
import type { Queryable } from '../../base/db/database.ts';
import { placedZips } from '../../data/market/zips.ts';
import { bboxAround, type Bbox } from '../../base/spatial/bbox.ts';
import { fitBbox } from '../../base/spatial/camera.ts';
import { detailForZoom } from '../../base/spatial/detail.ts';
import { MOST_AT_FINEST } from '../brands/export/detail.ts';

/** Boundaries have the detail of a map of the plan with this size in CSS pixels, two zoom levels further in. */
const MAP = { width: 1024, height: 768, moreZooms: 2 };

/** @returns the level of detail, and the extent of the plan; undefined without a boundary */
export async function exportDetail(
  db: Queryable,
  zips: readonly string[],
): Promise<{ lod: number; bbox: Bbox | undefined }> {
  const placed = await placedZips(db, zips);
  const bbox = placed.length > 0 ? bboxAround(placed.map((zip) => zip.bbox)) : undefined;
  const zoom = bbox ? fitBbox(bbox, MAP.width, MAP.height, 0).zoom + MAP.moreZooms : 0;
  const least = zips.length > MOST_AT_FINEST ? 1 : 0;
  return { lod: Math.max(least, detailForZoom(zoom)), bbox };
}
