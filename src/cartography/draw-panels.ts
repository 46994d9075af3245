/** Draws a picture with panels or insets. Each is rendered as a scene of its own, in parallel. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { RectPx } from '../spatial/flat.ts';
import { encodeImage } from '../render/canvas/encode.ts';
import type { FurniturePlan } from '../render/furniture/arrange.ts';
import { furnitureColorsOf } from '../render/furniture/colors.ts';
import type { Renderer } from '../render/renderer.ts';
import type { PictureFormat, Scene } from '../render/scene.ts';
import { sharp } from '../render/sharp.ts';
import { Color } from '../render/style-spec.ts';

export interface PanelSheet {
  /** Size of the whole picture, CSS pixels */
  width: number;
  height: number;
  pixelRatio: number;
  format: PictureFormat;
  style: StyleSpecification;
  /** Whether to omit the paper behind maps and furniture */
  transparent: boolean;
  furniture: FurniturePlan;
  panels: readonly PanelScene[];
}

export interface PanelScene {
  /** Has the size of the frame */
  scene: Scene;
  frame: RectPx;
}

/** Draws a sheet. The same sheet gives the same bytes. @throws see `drawScenes` */
export function drawPanels(
  renderer: Pick<Renderer, 'render'>,
  sheet: PanelSheet,
  signal?: AbortSignal,
): Promise<Buffer> {
  return drawScenes(renderer, paperScene(sheet), sheet.panels, sheet, signal);
}

/**
 * Draws scenes on top of another.
 *
 * @throws the first error of `Renderer.render`, after canceling the other scenes
 */
export async function drawScenes(
  renderer: Pick<Renderer, 'render'>,
  below: Scene,
  panels: readonly PanelScene[],
  { format, transparent }: Pick<PanelSheet, 'format' | 'transparent'>,
  signal?: AbortSignal,
): Promise<Buffer> {
  const failed = new AbortController();
  const stop = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const scenes = [below, ...panels.map(({ scene }) => scene)];
  let paper: Buffer;
  let maps: Buffer[];
  try {
    [paper, ...maps] = (await Promise.all(
      scenes.map((scene) => renderer.render({ ...scene, format: 'png' }, stop)),
    )) as [Buffer, ...Buffer[]];
  } catch (error) {
    failed.abort(error);
    throw error;
  }
  const composed = sharp(paper).composite(
    panels.map(({ frame }, i) => ({
      input: maps[i]!,
      left: Math.round(frame.minX * below.pixelRatio),
      top: Math.round(frame.minY * below.pixelRatio),
    })),
  );
  return encodeImage(transparent ? composed : composed.removeAlpha(), format);
}

/** Returns the scene of everything except the maps: paper and furniture. */
function paperScene({
  width,
  height,
  pixelRatio,
  style,
  transparent,
  furniture,
}: PanelSheet): Scene {
  const paper = Color.parse(furnitureColorsOf(style).paper)!;
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
