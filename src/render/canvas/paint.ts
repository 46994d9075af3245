/** The canvas engine: paints a scene. It keeps only fonts, glyphs and their masks, styles, texts, and tiles. */
import type { Arrangement } from '../furniture/arrange.ts';
import { furnitureColorsOf } from '../furniture/colors.ts';
import { drawFurniture } from '../furniture/draw.ts';
import { FACES } from '../furniture/typography.ts';
import { refuseSize, type PanelScene, type Scene } from '../scene.ts';
import type { RawPicture } from './encode.ts';
import { drawExtrusion } from './extrusion/extrusion.ts';
import { lightSource } from './extrusion/light.ts';
import { drawRaster } from './imagery/raster-layer.ts';
import { missingLetters } from './fonts.ts';
import { layOut } from './lay-out.ts';
import type { Omissions } from './omissions.ts';
import { drawBackground, isOpaqueBackground } from './layers/background.ts';
import { drawCircle } from './layers/circle.ts';
import { drawFill } from './layers/fill.ts';
import { drawHeatmap } from './layers/heatmap.ts';
import { withLayerOpacity } from './layers/layer-opacity.ts';
import type { Painter, PaintContext, SceneLayer } from './layers/painter.ts';
import { drawSky } from './layers/sky.ts';
import { drawLabels, prepareLabels } from './layers/symbol.ts';
import { drawLine } from './line/line.ts';
import { DepthBuffer } from './raster/faces.ts';
import { drawColorRelief } from './relief/color-relief.ts';
import { drawHillshade } from './relief/hillshade.ts';
import type { LayerType } from './style/compiled-style.ts';
import { Surface } from './surface.ts';
import type { PlacedLabel } from './text/label.ts';
import { tileClipper, worldArea } from './tile-clip.ts';

export interface Painting {
  /** Release it when its bytes are no longer needed. */
  surface: Surface;
  /** Whether every pixel is opaque */
  opaque: boolean;
  /** Labels that were placed, from the lowest layer up, each layer's in drawing order */
  labels: readonly LayerLabel[];
  /** Sentences that name what the picture lacks */
  warnings: readonly string[];
}

export interface LayerLabel extends PlacedLabel {
  /** Layer id */
  layer: string;
}

/** By layer type */
const PAINTERS: Readonly<Record<LayerType, Painter>> = {
  background: drawBackground,
  circle: drawCircle,
  'color-relief': drawColorRelief,
  fill: withLayerOpacity('fill-layer-opacity', drawFill),
  'fill-extrusion': drawExtrusion,
  heatmap: drawHeatmap,
  hillshade: drawHillshade,
  line: withLayerOpacity('line-layer-opacity', drawLine),
  raster: drawRaster,
  symbol: drawLabels,
};

/** @throws InvalidSceneError, UnsupportedStyleError */
export function paint(scene: Scene): Painting {
  refuseSize(scene);
  const { width, height, pixelRatio, panels = [] } = scene;
  const { style, view, images, omissions, sourceOf, furniture, layers } = layOut(scene);

  const surface = new Surface(width, height, pixelRatio);
  const isFilled = worldArea(surface, view) === null;
  const clipToTile = tileClipper(surface, view);
  if (style.sky !== null) drawSky(surface, view, style.sky(view.zoom));
  let depthBuffer: DepthBuffer | undefined;
  const context: PaintContext = {
    surface,
    view,
    clipToTile,
    light: lightSource(style.light(view.zoom), view.bearing),
    depth: () => (depthBuffer ??= new DepthBuffer(surface.pixels)),
    images,
    sourceOf,
  };
  prepareLabels(surface, layers);
  for (const layer of layers) {
    PAINTERS[layer.compiled.type](context, layer);
  }
  drawFurniture(surface.drawOn, pixelRatio, furniture, furnitureColorsOf(scene.style));
  nameMissingLetters(furniture, omissions);
  const panelWarnings = panels.flatMap((panel) => paintPanel(surface, panel));
  return {
    surface,
    opaque: isFilled && layers.some(isOpaqueBackground),
    get labels() {
      return layers.flatMap(placedLabels);
    },
    warnings: [
      ...new Set([
        ...(scene.warnings ?? []),
        ...Object.values(style.sources).flatMap(({ warnings }) => warnings),
        ...omissions.warnings,
        ...panelWarnings,
      ]),
    ],
  };
}

function paintPanel(around: Surface, { scene, frame }: PanelScene): readonly string[] {
  const { surface, opaque, warnings } = paint(scene);
  around.drawSurface(surface, frame, opaque);
  surface.release();
  return warnings;
}

function nameMissingLetters({ cards }: Arrangement, omissions: Omissions): void {
  for (const { role, text } of cards.flatMap(({ texts }) => texts)) {
    for (const letter of missingLetters(text)) {
      omissions.addLetter(letter, FACES[role], 'The title or legend');
    }
  }
}

function placedLabels({ compiled, labels }: SceneLayer): LayerLabel[] {
  return labels.flatMap((group) => group.labels.map((label) => ({ ...label, layer: compiled.id })));
}

/** The pixels of a painting, which are valid until its surface is released. */
export function rawPicture({ surface, opaque }: Painting): RawPicture {
  const { width, height } = surface;
  return { width, height, bytes: surface.straightBytes(opaque), opaque };
}
