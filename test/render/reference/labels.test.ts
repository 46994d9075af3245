import type { GeoJSONSourceSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { FeatureCollection } from 'geojson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { glyphRange } from '../../../src/data/basemap/glyphs.ts';
import { encode } from '../../../src/render/canvas/encode.ts';
import { paint, rawPicture, type Painting } from '../../../src/render/canvas/paint.ts';
import type { Scene } from '../../../src/render/scene.ts';
import { comparePictures } from '../../support/compare-pictures.ts';
import {
  hasChromium,
  openReference,
  type Reference,
  type ReferencePicture,
} from '../../support/maplibre.ts';
import { cutTiles, tileSet, type TileOf } from '../cut-tiles.ts';
import { labelScenes, type LabelScene } from './label-scenes.ts';

/** Fraction of pixels that may differ: the same as in MapLibre's own render tests */
const MAX_DIFFERENT_SHARE = 0.00025;

/** Mean difference of all channels. Moving glyphs by a quarter pixel would double it. */
const MAX_MEAN_DIFFERENCE = 0.5;

async function glyphsOf(faces: readonly string[]): Promise<Record<string, Uint8Array>> {
  const glyphs: Record<string, Uint8Array> = {};
  for (const face of faces) {
    for (const first of [0, 8192]) {
      glyphs[`${face}/${first}-${first + 255}`] = await glyphRange([face], first);
    }
  }
  return glyphs;
}

function paintLabels(
  { camera, ...scene }: LabelScene,
  more: Partial<Pick<Scene, 'glyphs' | 'sources'>>,
): Painting {
  return paint({ ...scene, view: camera, sources: {}, ...more });
}

/** Distinct layer and name of the visible labels */
function namesOf(picture: Painting, { width, height }: LabelScene): string[] {
  const inSight = picture.labels.filter(
    ({ box }) => box.maxX >= 0 && box.minX <= width && box.maxY >= 0 && box.minY <= height,
  );
  return unique(inSight.map(({ layer, feature }) => `${layer}: ${feature.properties.name}`));
}

function namesIn({ labels }: ReferencePicture): string[] {
  return unique(labels.map(({ layer, properties }) => `${layer}: ${properties.name}`));
}

const unique = (names: readonly string[]) => [...new Set(names)].sort();

interface Case {
  name: string;
  scene: LabelScene;
  sources: Scene['sources'];
  tileOf: TileOf;
}

const asGeojson = (scene: LabelScene): Case => ({
  name: scene.name,
  scene,
  sources: {},
  tileOf: () => null,
});

/** The same scene, with its features in vector tiles */
function cutIntoTiles(scene: LabelScene): Case {
  const { name, style, width, height, camera } = scene;
  const source = style.sources.s as GeoJSONSourceSpecification;
  const { features } = source.data as FeatureCollection;
  const tileOf = cutTiles({ names: features }, { maxzoom: 8, buffer: 64 });
  const tiled = {
    ...style,
    // maplibre-gl keeps tiles by their address.
    sources: {
      s: { type: 'vector' as const, tiles: [`local://${name}/{z}/{x}/{y}.mvt`], maxzoom: 8 },
    },
    layers: style.layers.map((layer) =>
      layer.type === 'symbol' ? { ...layer, 'source-layer': 'names' } : layer,
    ),
  };
  return {
    name: `${name}, from vector tiles`,
    scene: { ...scene, style: tiled },
    sources: { s: tileSet(tileOf, { width, height, view: camera }, { maxzoom: 8 }) },
    tileOf,
  };
}

const findScene = (name: string) => labelScenes.find((scene) => scene.name === name)!;

const cases = [
  ...labelScenes.map(asGeojson),
  ...['a crowd', 'a crowd by sort key', 'along lines', 'polygons'].map(findScene).map(cutIntoTiles),
];

describe.skipIf(!hasChromium)('labels match those of maplibre-gl', () => {
  let reference: Reference;
  let glyphs: Record<string, Uint8Array>;
  let tileOf: TileOf = () => null;
  beforeAll(async () => {
    glyphs = await glyphsOf(['Noto Sans Regular', 'Noto Sans Bold']);
    reference = await openReference((path) => {
      const tile = /(\d+)\/(\d+)\/(\d+)\.mvt$/.exec(path)?.slice(1).map(Number);
      const bytes = tile
        ? tileOf({ z: tile[0]!, x: tile[1]!, y: tile[2]! })
        : glyphs[path.replace(/\.pbf$/, '')];
      return bytes == null ? null : Buffer.from(bytes);
    });
  });
  afterAll(() => reference.close());

  it.each(cases)('$name', async ({ scene, sources, ...more }) => {
    tileOf = more.tileOf;
    const expected = await reference.draw({ ...scene, ...scene.camera });
    const ours = paintLabels(scene, { glyphs, sources });
    expect(expected.errors).toEqual([]);
    expect(namesOf(ours, scene)).toEqual(namesIn(expected));

    const png = await encode(rawPicture(ours), 'png');
    const difference = await comparePictures(expected.png, png);
    expect(difference.share).toBeLessThanOrEqual(MAX_DIFFERENT_SHARE);
    expect(difference.mean).toBeLessThanOrEqual(MAX_MEAN_DIFFERENCE);
  });

  it.each(['rotated by feature', 'in the middle of lines', 'formatted text', 'anchored top-left'])(
    '%s: the shipped outlines, which are slightly narrower, are placed the same',
    async (name) => {
      const scene = findScene(name);
      const expected = await reference.draw({ ...scene, ...scene.camera });
      const outlines = paintLabels(scene, {});
      expect(namesOf(outlines, scene)).toEqual(namesIn(expected));
      const fields = paintLabels(scene, { glyphs });
      for (const [i, { box, feature }] of fields.labels.entries()) {
        const other = outlines.labels[i]!;
        expect(other.feature).toEqual(feature);
        const most = 0.05 * (box.maxX - box.minX) + 0.5;
        expect(Math.abs(other.box.minX - box.minX)).toBeLessThan(most);
        expect(Math.abs(other.box.maxX - box.maxX)).toBeLessThan(most);
        expect(other.box.minY).toBeCloseTo(box.minY, 0);
        expect(other.box.maxY).toBeCloseTo(box.maxY, 0);
      }
    },
  );
});
