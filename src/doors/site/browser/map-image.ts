/** Images for maps that a browser draws in the colors of the page. */
import type { Map as MapLibreMap } from 'maplibre-gl';

const PIXEL_RATIO = 2;

/** Adds a square image to a map's style. A new style has none. */
export function addMapImage(
  map: MapLibreMap,
  id: string,
  sizePx: number,
  draw: (context: CanvasRenderingContext2D) => void,
): void {
  const size = sizePx * PIXEL_RATIO;
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser has no 2D canvas');
  context.scale(PIXEL_RATIO, PIXEL_RATIO);
  draw(context);
  const image = context.getImageData(0, 0, size, size);
  map.addImage(id, image, { pixelRatio: PIXEL_RATIO });
}
