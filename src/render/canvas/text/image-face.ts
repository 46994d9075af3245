/** An image of the scene inside a text, as a font with a single letter. */
import type { StyleImage } from '../../scene.ts';
import { displayWidth } from '../images.ts';
import { blendField, blendLinear, blendNearest } from '../raster/sample.ts';
import { fillTexturedQuad, type DrawTexel, type TexturedCorner } from '../raster/textured-quad.ts';
import type { Tint } from '../raster/ink.ts';
import type { Surface } from '../surface.ts';
import { inkOf, type Face, type GlyphRun, type Piece, type PlacedLabel } from './label.ts';
import { haloRamp, shapeRamp } from '../raster/distance-field.ts';
import { offsetFrom, onGround } from '../symbol/stance.ts';
import { BASELINE_UNITS, UNITS_PER_EM } from './units.ts';

/** Placeholder for the image in the text. A line may break after it. */
export const IMAGE_LETTER = '\ufffc';

/** MapLibre draws an image this far to the right of and below its position in the text, in CSS pixels. */
const SHIFT_RIGHT = 1;
const SHIFT_DOWN = 3;

/** A font with an image. The scale of its sections makes the image as large as in the sprite. */
export class ImageFace implements Face {
  readonly isGlyphwise = true;
  readonly name = '';
  private readonly image: StyleImage;
  private readonly isSmooth: boolean;

  /** @param isSmooth whether colors between the pixels of the image are interpolated */
  constructor(image: StyleImage, isSmooth: boolean) {
    this.image = image;
    this.isSmooth = isSmooth;
  }

  drawable(text: string): string {
    return text;
  }

  missing(): readonly string[] {
    return [];
  }

  pieces(text: string): readonly Piece[] {
    return this.letters(text);
  }

  letters(text: string): readonly Piece[] {
    return [{ text, letters: 1, advance: displayWidth(this.image) }];
  }

  drawHalo(surface: Surface, run: GlyphRun, label: PlacedLabel): void {
    if (!this.image.sdf) return;
    const scale = (label.sizePx / UNITS_PER_EM) * run.section.scale;
    const ramp = haloRamp(scale, label.halo!, surface.pixelRatio, run.ground?.softness);
    this.drawField(surface, run, label, label.halo!.tint, ramp);
  }

  drawLetters(surface: Surface, run: GlyphRun, label: PlacedLabel): void {
    const { image } = this;
    if (image.sdf) {
      const scale = (label.sizePx / UNITS_PER_EM) * run.section.scale;
      const ramp = shapeRamp(scale, surface.pixelRatio, run.ground?.softness);
      return this.drawField(surface, run, label, inkOf(run, label), ramp);
    }
    const blend = this.isSmooth ? blendLinear : blendNearest;
    this.draw(surface, run, label, blend(surface.pixels, image, label.opacity));
  }

  private drawField(
    surface: Surface,
    run: GlyphRun,
    label: PlacedLabel,
    tint: Tint,
    coverage: Float32Array,
  ): void {
    this.draw(surface, run, label, blendField(surface.pixels, this.image, tint, coverage));
  }

  private draw(
    { pixels, pixelRatio }: Surface,
    { x, y, angle, ground, section }: GlyphRun,
    { sizePx }: PlacedLabel,
    draw: DrawTexel,
  ): void {
    const { image } = this;
    const scale = (sizePx / UNITS_PER_EM) * section.scale;
    const corners = [0, 1, 2, 3].map((i): TexturedCorner | null => {
      // With one transparent pixel around the image
      const u = i % 2 === 0 ? -1 : image.width + 1;
      const v = i < 2 ? -1 : image.height + 1;
      const across = (u / image.pixelRatio + SHIFT_RIGHT) * scale;
      const down = (v / image.pixelRatio + SHIFT_DOWN - BASELINE_UNITS) * scale;
      const offset = offsetFrom({ x, y, turn: angle, ground: null }, across, down)!;
      const corner = ground === null ? offset : onGround(ground, offset.x, offset.y);
      if (corner === null) return null;
      return { x: corner.x * pixelRatio, y: corner.y * pixelRatio, u, v, w: corner.w };
    });
    fillTexturedQuad(pixels, corners, draw);
  }
}
