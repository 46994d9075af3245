/** Drawing a picture that is divided into panels: each is a scene, all drawn at once, then joined. */
import { Color, type StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import sharp from 'sharp';
import type { RectPx } from '../spatial/flat.ts';
import { encodeImage } from '../render/canvas/encode.ts';
import type { FurniturePlan } from '../render/furniture/arrange.ts';
import { furnitureThemeOf } from '../render/furniture/theme.ts';
import type { Renderer } from '../render/renderer.ts';
import type { PictureFormat, Scene } from '../render/scene.ts';

export interface PanelSheet {
  /** CSS pixels of the whole */
  width: number;
  height: number;
  pixelRatio: number;
  format: PictureFormat;
  style: StyleSpecification;
  /** Nothing but the maps and the furniture's cards */
  transparent: boolean;
  furniture: FurniturePlan;
  panels: readonly PanelScene[];
}

export interface PanelScene {
  /** Of the size of its frame */
  scene: Scene;
  frame: RectPx;
}

/**
 * The same sheet gives the same bytes.
 *
 * @throws what `Renderer.render` does; then those scenes that still wait are not drawn
 */
export async function drawPanels(
  renderer: Pick<Renderer, 'render'>,
  sheet: PanelSheet,
  signal?: AbortSignal,
): Promise<Buffer> {
  const { pixelRatio, format, transparent, panels } = sheet;
  const failed = new AbortController();
  const stop = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const scenes = [groundOf(sheet), ...panels.map(({ scene }) => scene)];
  let ground: Buffer;
  let maps: Buffer[];
  try {
    [ground, ...maps] = (await Promise.all(
      scenes.map((scene) => renderer.render({ ...scene, format: 'png' }, stop)),
    )) as [Buffer, ...Buffer[]];
  } catch (error) {
    failed.abort(error);
    throw error;
  }
  const joined = sharp(ground).composite(
    panels.map(({ frame }, i) => ({
      input: maps[i]!,
      left: Math.round(frame.minX * pixelRatio),
      top: Math.round(frame.minY * pixelRatio),
    })),
  );
  return encodeImage(transparent ? joined : joined.removeAlpha(), format);
}

/** What the panels lie on: the furniture's paper, with the furniture. */
function groundOf({ width, height, pixelRatio, style, transparent, furniture }: PanelSheet): Scene {
  const paper = Color.parse(furnitureThemeOf(style).paper)!;
  const [r, g, b] = paper.rgb.map((channel) => Math.round(channel * 255));
  return {
    width,
    height,
    pixelRatio,
    style: {
      version: 8,
      metadata: style.metadata,
      sources: {},
      layers: transparent
        ? []
        : [
            {
              id: 'paper',
              type: 'background',
              paint: { 'background-color': `rgb(${r},${g},${b})` },
            },
          ],
    },
    sources: {},
    view: { center: [0, 0], zoom: 0 },
    arranged: furniture,
  };
}
