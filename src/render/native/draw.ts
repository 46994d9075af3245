/**
 * The maplibre-native engine, which runs in its own process. It draws the same map furniture as the canvas
 * engine, but MapLibre Native can't keep labels whole, nor keep them clear of furniture.
 */
import { createCanvas, ImageData, type Canvas } from '@napi-rs/canvas';
import { Viewport } from '../../base/spatial/camera.ts';
import { encode } from '../canvas/encode.ts';
import { measureEm } from '../canvas/text/measure.ts';
import { arrangeFurniture } from '../furniture/arrange.ts';
import { drawFurniture, type DrawOn } from '../furniture/draw.ts';
import { furnitureColorsOf } from '../furniture/colors.ts';
import { cameraOf, refuseSize, type Scene } from '../scene.ts';
import { refuseInvalid } from '../valid-style.ts';
import { refuseCameraForNative, refuseUnsupportedByNative } from './native-subset.ts';
import { unpremultiply } from './unpremultiply.ts';
import { withSceneAddresses, sceneResources, type RequestGlyphs } from './resources.ts';
import type { StillMap } from './still-map.ts';

/**
 * @throws InvalidSceneError, UnsupportedStyleError, or an error of the map. After such an error, don't use
 *   the map again
 */
export async function drawNative(map: StillMap, scene: Scene, ask: RequestGlyphs): Promise<Buffer> {
  const { canvas, opaque } = await drawCanvas(map, scene, ask);
  const { width, height } = canvas;
  const { data: bytes } = canvas.getContext('2d').getImageData(0, 0, width, height);
  return encode({ width, height, bytes, opaque }, scene.format ?? 'png');
}

async function drawCanvas(
  map: StillMap,
  scene: Scene,
  ask: RequestGlyphs,
): Promise<{ canvas: Canvas; opaque: boolean }> {
  // MapLibre Native does not validate: it aborts, or draws something else.
  refuseSize(scene);
  refuseInvalid(scene.style);
  refuseUnsupportedByNative(scene.style);
  const { width, height, pixelRatio } = scene;
  const camera = cameraOf(scene);
  refuseCameraForNative(camera);
  const style = withSceneAddresses(scene);
  const resources = sceneResources(scene, ask);
  const pixels = await map.draw({ style, resources, camera, width, height, pixelRatio });

  // MapLibre Native rounds down, in single precision.
  const size = [width, height].map((side) =>
    Math.trunc(Math.fround(side * Math.fround(pixelRatio))),
  );
  const [deviceWidth, deviceHeight] = size as [number, number];
  if (pixels.length !== 4 * deviceWidth * deviceHeight) {
    throw new Error(
      `MapLibre Native returned ${pixels.length} bytes for a picture of ${deviceWidth} x ${deviceHeight}`,
    );
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
  context.scale(pixelRatio, pixelRatio);
  const drawOn: DrawOn = (_box, _content, draw) => draw(context);
  drawFurniture(drawOn, pixelRatio, furniture, furnitureColorsOf(scene.style));
  context.resetTransform();
  for (const { scene: inner, frame } of scene.panels ?? []) {
    const panel = await drawCanvas(map, inner, ask);
    const [left, top] = [frame.minX, frame.minY].map((side) => Math.round(side * pixelRatio));
    context.drawImage(panel.canvas, left!, top!);
  }
  return { canvas, opaque };
}
