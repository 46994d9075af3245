import { VectorTile, type VectorTileFeature, type VectorTileLayer } from '@mapbox/vector-tile';
import fc from 'fast-check';
import { PbfReader } from 'pbf';
import { describe, expect, it } from 'vitest';
import { BASEMAP_LAYERS } from '../../../src/data/basemap/features.ts';
import { mapContextJson } from '../../../src/data/basemap/map-context.ts';
import { contextTiles } from '../../../src/data/basemap/context-tiles.ts';
import { tileJson } from '../../../src/data/basemap/tilejson.ts';
import { TILE_EXTENT, type Tileset } from '../../../src/data/basemap/tiles.ts';
import { scoreTiles } from '../../../src/maps/cartography/tiles/score-tiles.ts';
import { mercatorX, mercatorY } from '../../../src/base/spatial/mercator.ts';
import { tileBbox, type TileAddress } from '../../../src/base/spatial/tile.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('sample');
const tilesets = [contextTiles, scoreTiles];

const layersOf = async (tileset: Tileset, address: TileAddress) =>
  new VectorTile(new PbfReader(await tileset.tile(db, address))).layers;

const featuresOf = (layer: VectorTileLayer | undefined): VectorTileFeature[] =>
  Array.from({ length: layer?.length ?? 0 }, (_, i) => layer!.feature(i));

const namesOf = (layer: VectorTileLayer | undefined, key: string) =>
  featuresOf(layer)
    .map(({ properties }) => String(properties[key]))
    .sort();

/** The tile that contains a place. */
const tileAt = ([lng, lat]: readonly [number, number], z: number): TileAddress => ({
  z,
  x: Math.floor(mercatorX(lng) * 2 ** z),
  y: Math.floor(mercatorY(lat) * 2 ** z),
});

const DALLAS = [-96.8, 32.8] as const;

/** Tiles of the contiguous states, each zoom equally often. */
const tiles = (tileset: Tileset) =>
  fc
    .record({
      lng: fc.double({ min: -122, max: -75, noNaN: true }),
      lat: fc.double({ min: 30, max: 47, noNaN: true }),
      z: fc.integer({ min: Math.max(tileset.minZoom, 4), max: tileset.maxZoom }),
    })
    .map(({ lng, lat, z }) => tileAt([lng, lat], z));

describe('a tile of the basemap', () => {
  it('contains the features that /map-context shows at its zoom', async () => {
    for (const z of [3, 5, 7, 10]) {
      const address = tileAt(DALLAS, z);
      const layers = await layersOf(contextTiles, address);
      const context = JSON.parse(await mapContextJson(db, tileBbox(address), z)) as {
        layers: Record<string, { features: { properties: Record<string, unknown> }[] }>;
      };
      for (const id of BASEMAP_LAYERS) {
        const key = id === 'states' || id === 'counties' ? 'fips' : 'minZoom';
        const shown = context.layers[id]!.features.map(({ properties }) => String(properties[key]));
        // The tile's buffer may reach one more feature, and tiles keep shapes thinner than half a pixel.
        expect(namesOf(layers[id], key)).toEqual(expect.arrayContaining(shown.sort()));
      }
      for (const feature of BASEMAP_LAYERS.flatMap((id) => featuresOf(layers[id]))) {
        expect(feature.properties['minZoom']).toBeLessThanOrEqual(z);
      }
    }
  });

  it('has each place within half a unit of its location', async () => {
    const address = tileAt(DALLAS, 8);
    const [west, south, east, north] = tileBbox(address);
    const rows = await db.query<{ name: string; lng: number; lat: number }>(
      `select name, st_x(bbox) as lng, st_y(bbox) as lat from basemap_features
       where layer = 'places' and bbox && st_makeenvelope($1, $2, $3, $4, 4326) and min_zoom <= 8`,
      [west, south, east, north],
    );
    const found = featuresOf((await layersOf(contextTiles, address)).places).map((feature) => {
      const { x, y } = feature.loadGeometry()[0]![0]!;
      return { name: String(feature.properties['name']), x, y };
    });
    expect(found.length).toBeGreaterThan(10);
    expect(found.map(({ name }) => name).sort()).toEqual(rows.map(({ name }) => name).sort());
    for (const { name, x, y } of found) {
      const distances = rows
        .filter((row) => row.name === name)
        .map(({ lng, lat }) =>
          Math.max(
            Math.abs((mercatorX(lng) * 2 ** 8 - address.x) * TILE_EXTENT - x),
            Math.abs((mercatorY(lat) * 2 ** 8 - address.y) * TILE_EXTENT - y),
          ),
        );
      expect(Math.min(...distances)).toBeLessThanOrEqual(0.51);
    }
  });

  it('contains the features of higher zooms at the highest tile zoom', async () => {
    const address = tileAt(DALLAS, contextTiles.maxZoom);
    const [west, south, east, north] = tileBbox(address);
    await db.query(
      `with later as (
         insert into basemap_features (layer, kind, name, min_zoom, rank, max_lod, bbox)
         values ('places', 'city', 'Late Corner', 15, 20, 0, st_setsrid(st_makepoint($1, $2), 4326))
         returning id, bbox)
       insert into basemap_shapes (feature_id, lod, geom) select id, 0, bbox from later`,
      [(west + east) / 2, (south + north) / 2],
    );
    const nameAt = async (z: number) =>
      namesOf((await layersOf(contextTiles, tileAt(DALLAS, z))).places, 'name');
    expect(await nameAt(contextTiles.maxZoom)).toContain('Late Corner');
    expect(await nameAt(contextTiles.maxZoom - 1)).not.toContain('Late Corner');
  });

  it('is empty without features', async () => {
    expect(await contextTiles.tile(db, tileAt([100, 40], 6))).toHaveLength(0);
  });
});

describe('a label point', () => {
  it('is in exactly one tile of a zoom, even if its area touches several', async () => {
    const z = 5;
    const from = tileAt([-124.9, 49.5], z);
    const to = tileAt([-66.8, 24.4], z);
    const seen: Record<string, string[]> = { 'state-labels': [], 'water-labels': [] };
    for (let x = from.x; x <= to.x; x++) {
      for (let y = from.y; y <= to.y; y++) {
        const layers = await layersOf(contextTiles, { z, x, y });
        seen['state-labels']!.push(...namesOf(layers['state-labels'], 'fips'));
        seen['water-labels']!.push(
          ...namesOf(layers['water-labels'], 'name').filter((name) => /Michigan|Erie/.test(name)),
        );
      }
    }
    expect(new Set(seen['state-labels']).size).toBe(seen['state-labels']!.length);
    expect(seen['state-labels']!.length).toBeGreaterThan(40);
    expect(seen['water-labels']!.sort()).toEqual(['Lake Erie', 'Lake Michigan']);
  });

  it('is at the same location at every zoom', async () => {
    const places: string[] = [];
    for (const z of [4, 6]) {
      const { x, y } = tileAt([-99.2, 31.4], z);
      for (const tile of [x - 1, x, x + 1].flatMap((tx) => [y - 1, y].map((ty) => [tx, ty]))) {
        const address = { z, x: tile[0]!, y: tile[1]! };
        const labels = featuresOf((await layersOf(contextTiles, address))['state-labels']);
        const texas = labels.find(({ properties }) => properties['name'] === 'Texas');
        if (!texas) continue;
        const { coordinates } = texas.toGeoJSON(address.x, address.y, z).geometry as {
          coordinates: number[];
        };
        places.push(coordinates.map((degrees) => degrees.toFixed(1)).join());
      }
    }
    expect(places).toHaveLength(2);
    expect(places[0]).toBe(places[1]);
  });

  it('does not exist for a lake that is a line', async () => {
    await db.query(
      `with through as (
         insert into basemap_features (layer, kind, name, min_zoom, rank, max_lod, bbox)
         values ('water', 'lake', 'Through', 0, 9, 0, st_makeenvelope(-97, 32, -96, 33, 4326))
         returning id)
       insert into basemap_shapes (feature_id, lod, geom)
       select id, 0, 'srid=4326;multilinestring((-97 32, -96 33))' from through`,
    );
    const layers = await layersOf(contextTiles, tileAt(DALLAS, 7));
    expect(namesOf(layers['water'], 'name')).toContain('Through');
    expect(namesOf(layers['water-labels'], 'name')).not.toContain('Through');
  });

  it('has the zoom from which the name fits', async () => {
    for (const z of [6, 7, 8]) {
      const layers = await layersOf(contextTiles, tileAt(DALLAS, z));
      const labels = featuresOf(layers['county-labels']);
      expect(labels.length).toBeGreaterThan(0);
      for (const { properties } of labels) expect(properties['labelZoom']).toBeLessThanOrEqual(z);
    }
  });
});

interface Edge {
  ax: number;
  ay: number;
  bx: number;
  by: number;
}

function* edgesOf(feature: VectorTileFeature): Generator<Edge> {
  for (const ring of feature.loadGeometry()) {
    for (let i = 1; i < ring.length; i++) {
      const [a, b] = [ring[i - 1]!, ring[i]!];
      if (a.x !== b.x || a.y !== b.y) yield { ax: a.x, ay: a.y, bx: b.x, by: b.y };
    }
  }
}

/** Returns where outlines of a layer cross a vertical line in the tile, north to south. */
function crossingsOf(layer: VectorTileLayer | undefined, lineX: number) {
  return featuresOf(layer)
    .flatMap((feature) => [...edgesOf(feature)])
    .filter(({ ax, bx }) => ax < lineX !== bx < lineX)
    .map(({ ax, ay, bx, by }) => ({
      y: ay + ((lineX - ax) / (bx - ax)) * (by - ay),
      // Rounding may move the crossing of an outline that is almost parallel to the line.
      slack: 1 + 1.5 * Math.hypot(1, (by - ay) / (bx - ax)),
    }))
    .filter(({ y }) => y > 0 && y < TILE_EXTENT)
    .sort((a, b) => a.y - b.y);
}

/**
 * Counts the outlines of each layer that cross the border of a tile and its eastern neighbor.
 *
 * @throws if an outline crosses the border at a different place in each tile
 */
async function expectJoined(
  tileset: Tileset,
  west: TileAddress,
  layerIds: readonly string[],
): Promise<number[]> {
  const layers = await layersOf(tileset, west);
  const next = await layersOf(tileset, { ...west, x: west.x + 1 });
  return layerIds.map((layerId) => countJoints(layers, next, layerId, west));
}

type Layers = Awaited<ReturnType<typeof layersOf>>;

function countJoints(layers: Layers, next: Layers, layerId: string, west: TileAddress): number {
  // Vertices are at whole units, so none is on these lines.
  const here = crossingsOf(layers[layerId], TILE_EXTENT - 0.5);
  const there = crossingsOf(next[layerId], -0.5);
  for (const { y, slack } of here) {
    const nearest = Math.min(...there.map((other) => Math.abs(other.y - y)));
    if (nearest > slack) {
      throw new Error(
        `${layerId} of ${Object.values(west).join('/')} don't join at ${y}: ${nearest}`,
      );
    }
  }
  return here.length;
}

describe('adjacent tiles', () => {
  it.each([
    {
      what: 'the basemap',
      layers: ['counties', 'states', 'water', 'roads'],
      tileset: contextTiles,
    },
    { what: 'ZIP codes', layers: ['zips'], tileset: scoreTiles },
  ])('of $what join without a gap', async ({ tileset, layers }) => {
    const sums = layers.map(() => 0);
    await fc.assert(
      fc.asyncProperty(tiles(tileset), async (west) => {
        for (const [i, count] of (await expectJoined(tileset, west, layers)).entries())
          sums[i]! += count;
      }),
      { numRuns: 40, examples: [[tileAt([-97.2, 32.8], 9)], [tileAt([-87.9, 41.9], 8)]] },
    );
    for (const sum of sums) expect(sum).toBeGreaterThan(10);
  });

  it('join along a line that is straight in degrees across half the country', async () => {
    await db.query(
      `with long as (
         insert into basemap_features (layer, kind, min_zoom, rank, max_lod, bbox)
         values ('roads', 'highway', 0, 9, 0, st_makeenvelope(-120, 30, -96, 48, 4326))
         returning id)
       insert into basemap_shapes (feature_id, lod, geom)
       select id, 0, 'srid=4326;linestring(-120 48, -96 30)' from long`,
    );
    let joints = 0;
    for (const z of [4, 5, 6, 7, 8, 9, 10]) {
      for (const share of [0.2, 0.4, 0.6, 0.8]) {
        const { x, y } = tileAt([-120 + 24 * share, 48 - 18 * share], z);
        for (const west of [x - 1, x]) {
          const [count] = await expectJoined(contextTiles, { z, x: west, y }, ['roads']);
          joints += count!;
        }
      }
    }
    expect(joints).toBeGreaterThan(30);
  });

  it('contain neighbors that share every edge of their border', async () => {
    // ZIP codes surrounded by other launched ZIP codes: every edge is also an edge of a neighbor.
    const rows = await db.query<{ zip: string }>(
      `select zip from zips z join metro_counties using (county_fips)
       join zip_boundaries b using (zip)
       where metro_slug = 'dallas-tx' and b.lod = 0 and (
         select sum(shared_border_m) from zip_neighbors n
         join zips other on other.zip = n.neighbor
         join metro_counties m on m.county_fips = other.county_fips
         where n.zip = z.zip) > 0.9999 * st_perimeter(b.geom::geography)`,
    );
    const surrounded = new Set(rows.map(({ zip }) => zip));
    let checked = 0;
    const alone: string[] = [];
    for (const z of [5, 7, 9, 10]) {
      const features = featuresOf((await layersOf(scoreTiles, tileAt(DALLAS, z))).zips);
      const inside = ({ ax, ay, bx, by }: Edge) =>
        [ax, ay, bx, by].every((at) => at > 0 && at < TILE_EXTENT);
      const key = ({ ax, ay, bx, by }: Edge) => [`${ax},${ay}`, `${bx},${by}`].sort().join(' ');
      const uses = new Map<string, number>();
      for (const edge of features.flatMap((feature) => [...edgesOf(feature)])) {
        uses.set(key(edge), (uses.get(key(edge)) ?? 0) + 1);
      }
      for (const feature of features) {
        if (!surrounded.has(String(feature.properties['zip']))) continue;
        for (const edge of edgesOf(feature)) {
          if (!inside(edge)) continue;
          if (uses.get(key(edge))! < 2) alone.push(`${z}: ${key(edge)}`);
          checked++;
        }
      }
    }
    expect(alone).toEqual([]);
    expect(checked).toBeGreaterThan(1_000);
  });
});

describe('TileJSON', () => {
  it.each(tilesets)('lists the layers and fields of the tiles: $name', async (tileset) => {
    const document = tileJson(tileset, await tileset.facts(db), '');
    const declared = new Map(document.vector_layers.map((l) => [l.id, Object.keys(l.fields)]));
    const found = new Map<string, Set<string>>();
    for (const z of [3, 6, 8, 10]) {
      for (const place of [DALLAS, [-87.6, 41.9] as const]) {
        const layers = await layersOf(tileset, tileAt(place, z));
        for (const [id, layer] of Object.entries(layers)) {
          const keys = featuresOf(layer).flatMap(({ properties }) => Object.keys(properties));
          found.set(id, new Set([...(found.get(id) ?? []), ...keys]));
        }
      }
    }
    // The sample has no land use.
    for (const id of ['landuse', 'landuse-labels']) declared.delete(id);
    expect([...found.keys()].sort()).toEqual([...declared.keys()].sort());
    for (const [id, keys] of found) expect([...keys].sort()).toEqual(declared.get(id)!.toSorted());
  });

  it.each(tilesets)('has the URL, sources, and bounds of the tiles: $name', async (tileset) => {
    const facts = await tileset.facts(db);
    const document = tileJson(
      tileset,
      facts,
      `https://example.com/api/tiles/${tileset.name}/{z}/{x}/{y}.mvt?v=a1`,
    );
    expect(document).toMatchObject({
      tilejson: '3.0.0',
      version: expect.stringMatching(/^1\.0\.0\+\d{8}T\d{9}Z$/),
      attribution: expect.stringContaining('Sample data (synthetic; not ACS)'),
      tiles: [`https://example.com/api/tiles/${tileset.name}/{z}/{x}/{y}.mvt?v=a1`],
      minzoom: tileset.minZoom,
      maxzoom: tileset.maxZoom,
    });
    const [west, south, east, north] = document.bounds;
    expect(west).toBeLessThan(-120);
    expect(south).toBeLessThan(30);
    expect(east).toBeGreaterThan(-80);
    expect(north).toBeGreaterThan(47);
  });

  it('escapes HTML in the name of a source', () => {
    const source = { name: 'water', synthetic: false, importedAt: new Date(0) } as const;
    const sources = [{ ...source, vintage: 'A & B <img>' }];
    const document = tileJson(contextTiles, { sources, bounds: [0, 0, 1, 1] }, '');
    expect(document.attribution).toBe('A &amp; B &lt;img&gt;');
  });
});
