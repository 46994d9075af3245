/**
 * The maplibre-native engine: a scene to a picture, in a process of its own. The furniture is ours,
 * as the canvas engine's; but MapLibre Native cannot be told to keep labels whole or clear of it.
 */
import { createCanvas, ImageData } from '@napi-rs/canvas';
import { Viewport } from '../../spatial/camera.ts';
import { encode } from '../canvas/encode.ts';
import { measureEm } from '../canvas/text/measure.ts';
import { arrangeFurniture } from '../furniture/arrange.ts';
import { drawFurniture } from '../furniture/draw.ts';
import { furnitureThemeOf } from '../furniture/theme.ts';
import { cameraOf, refuseSize, type Scene } from '../scene.ts';
import { refuseInvalid } from '../valid-style.ts';
import { unpremultiply } from './pixels.ts';
import { addressedStyle, resourcesOf, type AskGlyphs } from './resources.ts';
import type { StillMap } from './still-map.ts';

/** @throws InvalidSceneError; what the map has thrown, after which it must not be used again */
export async function drawWith(map: StillMap, scene: Scene, ask: AskGlyphs): Promise<Buffer> {
  // What MapLibre Native is not told to refuse it aborts on, or draws something else.
  refuseSize(scene);
  refuseInvalid(scene.style);
  const { width, height, pixelRatio } = scene;
  const camera = cameraOf(scene);
  const style = addressedStyle(scene);
  const resources = resourcesOf(scene, ask);
  const pixels = await map.draw({ style, resources, camera, width, height, pixelRatio });

  // It rounds down, in single precision.
  const size = [width, height].map((side) =>
    Math.trunc(Math.fround(side * Math.fround(pixelRatio))),
  );
  const [deviceWidth, deviceHeight] = size as [number, number];
  if (pixels.length !== 4 * deviceWidth * deviceHeight) {
    throw new Error(`${pixels.length} bytes are no picture of ${deviceWidth} x ${deviceHeight}`);
  }
  const opaque = unpremultiply(pixels);
  const canvas = createCanvas(deviceWidth, deviceHeight);
  const context = canvas.getContext('2d');
  const bytes = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length);
  context.putImageData(new ImageData(bytes, deviceWidth, deviceHeight), 0, 0);

  const viewport = new Viewport(camera, width, height);
  const territory = (scene.territory ?? []).map((bbox) => viewport.rect(bbox));
  const furniture =
    scene.arranged ?? arrangeFurniture(scene.furniture ?? {}, width, height, measureEm, territory);
  drawFurniture(context, pixelRatio, furniture, furnitureThemeOf(scene.style));
  return encode(canvas, opaque, scene.format ?? 'png');
}
