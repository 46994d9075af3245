import { Command } from 'commander';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addPictureOptions } from '../../src/run/admin/picture-options.ts';
import {
  addStyleFileOptions,
  renderStyleFile,
  type StyleFileFlags,
} from '../../src/run/admin/render-style-file.ts';
import { paint } from '../../src/render/canvas/paint.ts';
import { readScene } from './read-scene.ts';
import { InvalidSceneError } from '../../src/render/errors.ts';
import { render } from '../../src/render/render.ts';
import type { TileSet } from '../../src/render/vector-tiles.ts';
import { BLUE, GREEN, picture, RED } from './pictures.ts';
import { cutTiles } from './cut-tiles.ts';
import { pmtiles } from './tile-archives.ts';
import { spriteFiles } from './sprite.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'style-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(path: string, content: string | Uint8Array | object): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  const isText = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(file, isText ? content : JSON.stringify(content));
  return file;
}

const whole = {
  type: 'Polygon' as const,
  coordinates: [
    [
      [-170, -80],
      [170, -80],
      [170, 80],
      [-170, 80],
      [-170, -80],
    ],
  ],
};

const red = { id: 'f', type: 'fill', source: 's', paint: { 'fill-color': '#f00' } };
const redTiles = { ...red, 'source-layer': 'd' };

const styleWith = (source: object, changes: object = {}) => ({
  version: 8,
  sources: { s: source },
  layers: [red],
  ...changes,
});

const tileOf = cutTiles(
  { d: [{ type: 'Feature', properties: {}, geometry: whole }] },
  { maxzoom: 3, buffer: 64 },
);

function putTiles(zoom: number, path: (z: number, x: number, y: number) => string, packed = false) {
  for (let x = 0; x < 2 ** zoom; x++) {
    for (let y = 0; y < 2 ** zoom; y++) {
      const bytes = tileOf({ z: zoom, x, y });
      if (bytes !== null) put(path(zoom, x, y), packed ? gzipSync(bytes) : bytes);
    }
  }
}

const FRAME = { width: 100, height: 100, pixelRatio: 1 };

function read(style: object | string, changes: Partial<Parameters<typeof readScene>[0]> = {}) {
  return readScene({ file: put('style.json', style), assets: folder, ...FRAME, ...changes });
}

const middle = async (style: object, changes: Partial<Parameters<typeof readScene>[0]> = {}) =>
  (await picture(await read(style, changes))).at(50, 50);

async function problemsOf(style: object | string): Promise<string> {
  const error: unknown = await read(style).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(InvalidSceneError);
  return (error as InvalidSceneError).problems.join('\n');
}

describe('a style document’s GeoJSON', () => {
  it.each([
    ['a geometry', whole],
    ['a feature', { type: 'Feature', properties: {}, geometry: whole }],
    [
      'a collection',
      {
        type: 'FeatureCollection',
        features: [{ type: 'Feature', properties: {}, geometry: whole }],
      },
    ],
  ])('accepts %s, in the document or in a file', async (_, data) => {
    put('data/whole.geojson', data);
    expect(await middle(styleWith({ type: 'geojson', data }))).toEqual(RED);
    for (const address of ['local://data/whole.geojson', 'data/whole.geojson']) {
      expect(await middle(styleWith({ type: 'geojson', data: address }))).toEqual(RED);
    }
  });

  const places = {
    type: 'FeatureCollection',
    features: ['a', 'b'].map((name, index) => ({
      type: 'Feature',
      properties: { name, number: index + 7 },
      geometry: { type: 'Point', coordinates: [0, 0] },
    })),
  };
  const circles = (filter: unknown[]) => ({
    layers: [
      {
        id: 'c',
        type: 'circle',
        source: 's',
        filter,
        paint: { 'circle-radius': 30, 'circle-color': '#0f0' },
      },
    ],
  });
  const isName = (name: string) => ['==', ['get', 'name'], name];

  it('applies the filter of its source', async () => {
    const source = { type: 'geojson', data: places, filter: isName('a') };
    expect(await middle(styleWith(source, circles(isName('a'))))).toEqual(GREEN);
    expect((await middle(styleWith(source, circles(isName('b')))))[3]).toBe(0);
  });

  it('accepts generated ids and ids from a property', async () => {
    const hasId = (id: number) => circles(['==', ['id'], id]);
    const numbered = { type: 'geojson', data: places, generateId: true };
    expect(await middle(styleWith(numbered, hasId(1)))).toEqual(GREEN);
    expect((await middle(styleWith(numbered, hasId(2))))[3]).toBe(0);
    const promoted = { type: 'geojson', data: places, promoteId: 'number' };
    expect(await middle(styleWith(promoted, hasId(8)))).toEqual(GREEN);
  });
});

describe('a style document’s vector tiles', () => {
  const view = { center: [0.1, 0.1] as [number, number], zoom: 2.5 };

  it.each([
    ['tiles', { tiles: ['local://tiles/{z}-{x}-{y}.mvt?v=Jx4f0aQk2Z'] }],
    ['tiles in a relative folder', { tiles: ['tiles/{z}-{x}-{y}.mvt'] }],
    ['a TileJSON file', { url: 'local://tiles.json' }],
  ])('are found by %s', async (_, source) => {
    putTiles(2, (z, x, y) => `tiles/${z}-${x}-${y}.mvt`);
    put('tiles.json', { tiles: ['local://tiles/{z}-{x}-{y}.mvt'] });
    const style = styleWith({ type: 'vector', ...source }, { layers: [redTiles] });
    expect(await middle(style, view)).toEqual(RED);
  });

  it('end at the maxzoom of the TileJSON, unless the source has its own', async () => {
    putTiles(1, (z, x, y) => `${z}/${x}/${y}`);
    put('tiles.json', { tiles: ['{z}/{x}/{y}'], maxzoom: 1 });
    const shown = styleWith({ type: 'vector', url: 'tiles.json' }, { layers: [redTiles] });
    expect(await middle(shown, view)).toEqual(RED);
    const source = { type: 'vector', url: 'tiles.json', maxzoom: 2 };
    expect((await middle(styleWith(source, { layers: [redTiles] }), view))[3]).toBe(0);
  });

  it('accept gzip', async () => {
    putTiles(2, (z, x, y) => `${z}/${x}/${y}.pbf`, true);
    const source = { type: 'vector', tiles: ['{z}/{x}/{y}.pbf'] };
    expect(await middle(styleWith(source, { layers: [redTiles] }), view)).toEqual(RED);
  });

  it('accept rows counted from the south', async () => {
    put('2/1/0', tileOf({ z: 2, x: 1, y: 3 })!);
    const source = { type: 'vector', tiles: ['{z}/{x}/{y}'], scheme: 'tms' };
    const south = { center: [-45, -75] as [number, number], zoom: 2 };
    const scene = await read(styleWith(source, { layers: [redTiles] }), south);
    expect((scene.sources['s'] as TileSet).tiles.map(({ x, y }) => [x, y])).toEqual([[1, 3]]);
  });

  it('are read only inside the bounds of their source', async () => {
    putTiles(2, (z, x, y) => `${z}/${x}/${y}`);
    const source = { type: 'vector', tiles: ['{z}/{x}/{y}'], bounds: [10, 10, 20, 20] };
    const scene = await read(styleWith(source, { layers: [redTiles] }), { ...view, zoom: 2 });
    expect((scene.sources['s'] as TileSet).tiles.map(({ x, y }) => [x, y])).toEqual([[2, 1]]);
  });

  it('are empty without a file', async () => {
    const source = { type: 'vector', tiles: ['{z}/{x}/{y}'] };
    expect((await middle(styleWith(source, { layers: [redTiles] }), view))[3]).toBe(0);
  });
});

describe('a style document', () => {
  it('uses its own center, zoom, and angles by default', async () => {
    const data = { type: 'Point', coordinates: [100, 40] };
    const style = { center: [100, 40], zoom: 4.5, ...styleWith({ type: 'geojson', data }) };
    expect((await read(style)).view).toEqual({ center: [100, 40], zoom: 4.5 });
    expect((await read(style, { center: [1, 2] })).view).toEqual({ center: [1, 2], zoom: 4.5 });
    const turned = { ...style, bearing: 20, pitch: 30, roll: 5 };
    expect((await read(turned, { pitch: 45, bearing: 0 })).view).toEqual({
      center: [100, 40],
      zoom: 4.5,
      pitch: 45,
      roll: 5,
    });
    expect((await read(styleWith({ type: 'geojson', data }))).view).toEqual({
      center: [0, 0],
      zoom: 0,
    });
  });

  it('reads the defaults of its state', async () => {
    const state = { color: { default: '#0f0' }, shown: { default: 'visible' } };
    const layers = [
      {
        ...red,
        filter: ['==', ['global-state', 'color'], '#0f0'],
        layout: { visibility: ['global-state', 'shown'] },
        paint: { 'fill-color': ['global-state', 'color'] },
      },
    ];
    const style = styleWith({ type: 'geojson', data: whole }, { state, layers });
    expect(await middle(style)).toEqual(GREEN);
    state.shown.default = 'none';
    expect((await middle(style))[3]).toBe(0);
  });

  it('accepts legacy functions, filters, and tokens', async () => {
    const place = { type: 'Point', coordinates: [0, 0] };
    const data = { type: 'Feature', properties: { kind: 'city', name: 'Dallas' }, geometry: place };
    const layers = [
      {
        id: 'c',
        type: 'circle',
        source: 's',
        filter: ['all', ['==', '$type', 'Point'], ['in', 'kind', 'city', 'town']],
        paint: {
          'circle-radius': { base: 2, stops: [[0, 30], [9, 90]] }, // oxfmt-ignore
          'circle-color': { property: 'kind', type: 'categorical', stops: [['city', '#0f0']] },
        },
      },
      {
        id: 't',
        type: 'symbol',
        source: 's',
        layout: {
          'text-field': { stops: [[0, '{name}'], [9, '{name}, a {kind}']] }, // oxfmt-ignore
          'text-font': ['Noto Sans Regular'],
        },
      },
    ];
    const glyphs = 'https://example.com/{fontstack}/{range}.pbf';
    const style = styleWith({ type: 'geojson', data }, { glyphs, layers });
    expect((await picture(await read(style))).at(50, 70)).toEqual(GREEN);
    const texts = async (zoom: number) =>
      paint(await read(style, { zoom })).labels.map((l) => l.text);
    expect(await texts(0)).toEqual(['Dallas']);
    expect(await texts(9)).toEqual(['Dallas, a city']);
  });

  it('reads the existing glyph files of its fonts', async () => {
    put('glyphs/Plain,Other/0-255.pbf', 'plain');
    put('glyphs/Bold/8192-8447.pbf', 'bold');
    const layout = {
      'text-field': ['format', 'a', { 'text-font': ['literal', ['Bold']] }],
      'text-font': ['Plain', 'Other'],
    };
    const style = styleWith(
      { type: 'geojson', data: whole },
      {
        glyphs: 'local://glyphs/{fontstack}/{range}.pbf',
        layers: [{ id: 't', type: 'symbol', source: 's', layout }],
      },
    );
    const { glyphs } = await read(style);
    expect(Object.keys(glyphs!).toSorted()).toEqual(['Bold/8192-8447', 'Plain,Other/0-255']);
    expect(Buffer.from(glyphs!['Plain,Other/0-255']!).toString()).toBe('plain');
  });

  it('ignores glyphs that are not local', async () => {
    const style = styleWith(
      { type: 'geojson', data: whole },
      {
        glyphs: 'https://example.com/{fontstack}/{range}.pbf',
        layers: [{ id: 't', type: 'symbol', source: 's' }],
      },
    );
    expect((await read(style)).glyphs).toBeUndefined();
  });

  it.each([
    ['that does not exist', 'no/such/file.json', 'does not exist'],
    ['outside the assets folder', '../secret.json', 'is outside the assets folder'],
    [
      'outside, in an encoded form',
      'local://a/%2e%2e/../../secret.json',
      'is outside the assets folder',
    ],
    ['from the root', '/etc/passwd', 'is outside the assets folder'],
    ['of a server', 'https://example.com/a.json', 'only local files are read'],
    ['of a server, without a scheme', '//example.com/a.json', 'only local files are read'],
  ])('is refused with an address %s', async (_, address, message) => {
    const problems = await problemsOf(styleWith({ type: 'geojson', data: address }));
    expect(problems).toContain('sources.s.data');
    expect(problems).toContain(message);
  });

  it('is refused with a file that is not GeoJSON', async () => {
    put('broken.json', '{"type": "Point", ]');
    put('other.json', { type: 'Topology' });
    const broken = styleWith({ type: 'geojson', data: 'broken.json' });
    expect(await problemsOf(broken)).toMatch(/broken\.json.* is not JSON: .*position 18/);
    const other = styleWith({ type: 'geojson', data: 'other.json' });
    expect(await problemsOf(other)).toContain(
      'is not GeoJSON: its "type" is "Topology". Convert it to GeoJSON.',
    );
  });

  it('is refused with unknown placeholders in a tile address', async () => {
    const source = { type: 'vector', tiles: ['{quadkey}.mvt'] };
    const problems = await problemsOf(styleWith(source, { layers: [redTiles] }));
    expect(problems).toContain('replace placeholders other than {z}, {x}, and {y}');
  });

  it('is refused with all of its problems if invalid', async () => {
    expect(await problemsOf('{"version": 8, "name": ]}')).toMatch(
      /style\.json is not JSON: .*"name": \]/,
    );
    const wrong = { version: 7, sources: {}, layers: [red] };
    expect((await problemsOf(wrong)).split('\n').length).toBeGreaterThan(1);
    await expect(
      readScene({ file: join(folder, 'none.json'), assets: folder, ...FRAME }),
    ).rejects.toThrow('none.json');
  });

  it.each([
    ['a gzip bomb', gzipSync(Buffer.alloc(100 * 1024 * 1024)), 'has more than 64 MB'],
    ['a file that is too large', Buffer.alloc(65 * 1024 * 1024), 'has more than 64 MB'],
    ['nested too deeply', '['.repeat(100), 'is nested too deeply. The limit is 64 levels.'],
    ['damaged gzip', Buffer.from([0x1f, 0x8b, 1, 2, 3]), 'is not valid gzip: compress it again.'],
  ])('is refused with data that is %s', async (_, content, message) => {
    put('data.json', content);
    const problems = await problemsOf(styleWith({ type: 'geojson', data: 'data.json' }));
    expect(problems).toContain('sources.s.data');
    expect(problems).toContain(message);
  });

  it.each([
    ['a FIFO', (file: string) => void execFileSync('mkfifo', [file])],
    ['a folder', (file: string) => mkdirSync(file)],
    ['a device', (file: string) => symlinkSync('/dev/zero', file)],
  ])('is refused at once if it names or is %s', async (_, make) => {
    make(join(folder, 'odd'));
    const problems = await problemsOf(styleWith({ type: 'geojson', data: 'odd' }));
    expect(problems).toMatch(/is not a regular file|leads outside the assets folder/);
    const file = join(folder, 'odd');
    await expect(readScene({ file, assets: folder, ...FRAME })).rejects.toThrow(
      'is not a regular file: replace it with one',
    );
  });

  it('is refused with a link that leads out of the assets folder, but not within it', async () => {
    put('whole.json', whole);
    mkdirSync(join(folder, 'assets'));
    symlinkSync(join(folder, 'whole.json'), join(folder, 'assets/out.json'));
    symlinkSync(join(folder, 'whole.json'), join(folder, 'in.json'));
    const out = styleWith({ type: 'geojson', data: 'assets/out.json' });
    expect(await middle(out)).toEqual(RED);
    const style = styleWith({ type: 'geojson', data: 'out.json' });
    await expect(read(style, { assets: join(folder, 'assets') })).rejects.toThrow(
      'leads outside the assets folder: copy the file there',
    );
    symlinkSync(folder, join(folder, 'assets/up'));
    const up = styleWith({ type: 'geojson', data: 'up/whole.json' });
    await expect(read(up, { assets: join(folder, 'assets') })).rejects.toThrow('leads outside');
    symlinkSync(join(folder, 'assets'), join(folder, 'link'));
    put('assets/whole.json', whole);
    const linked = styleWith({ type: 'geojson', data: 'whole.json' });
    expect(await middle(linked, { assets: join(folder, 'link') })).toEqual(RED);
  });

  it('is refused with too many layers, sources, values, or fonts', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ ...red, id: `f${i}` }));
    const data = { type: 'geojson', data: whole };
    expect(await problemsOf(styleWith(data, { layers: many(100_000) }))).toMatch(
      /has more than 8 MB|has too many values/,
    );
    expect(await problemsOf(styleWith(data, { layers: many(1_001) }))).toContain(
      'has 1001 layers; the limit is 1000. Combine some of them.',
    );
    expect((await read(styleWith(data, { layers: many(1_000) }))).style.layers).toHaveLength(1_000);
    const sources = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`s${i}`, data]));
    expect(await problemsOf({ version: 8, sources, layers: [] })).toContain('has 101 sources');
    const inline = {
      type: 'GeometryCollection',
      geometries: Array.from({ length: 300_000 }, () => ({})),
    };
    expect(await problemsOf(styleWith({ type: 'geojson', data: inline }))).toContain(
      'has too many values. The limit is 500,000.',
    );
    const fonts = Array.from({ length: 51 }, (_, i) => ({
      id: `t${i}`,
      type: 'symbol',
      source: 's',
      layout: { 'text-field': 'a', 'text-font': [`f${i}`] },
    }));
    const labeled = { layers: fonts, glyphs: '{fontstack}/{range}.pbf' };
    expect(await problemsOf(styleWith(data, labeled))).toContain('uses 52 fonts; the limit is 50');
  });

  it('does not need the data of hidden layers', async () => {
    const hidden = { ...red, id: 'h', source: 'gone', layout: { visibility: 'none' } };
    const style = {
      version: 8,
      sources: {
        s: { type: 'geojson', data: whole },
        gone: { type: 'geojson', data: 'gone.json' },
      },
      layers: [red, hidden],
    };
    expect(await middle(style)).toEqual(RED);
  });
});

describe('territory-admin render --style-file', () => {
  const stdout: string[] = [];
  const stderr: string[] = [];

  beforeEach(() => {
    stdout.length = 0;
    stderr.length = 0;
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => stdout.push(String(text)) > 0);
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => stderr.push(String(text)) > 0);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    process.exitCode = undefined;
  });

  async function run(style: object, ...args: string[]): Promise<number> {
    const command = addPictureOptions(addStyleFileOptions(new Command('render'))).option('--json');
    command.action((flags: StyleFileFlags & { styleFile: string }) =>
      renderStyleFile({ render }, flags.styleFile, flags, command),
    );
    const file = put('style.json', style);
    const output = join(folder, 'out.png');
    await command.parseAsync(['--style-file', file, '-o', output, ...args], { from: 'user' });
    return Number(process.exitCode ?? 0);
  }

  const style = styleWith({ type: 'geojson', data: 'whole.json' });

  it('draws the picture and reports it in one line', async () => {
    put('whole.json', whole);
    expect(await run(style, '--size', '80x64', '--ratio', '2')).toBe(0);
    expect(readFileSync(join(folder, 'out.png')).readUInt32BE(16)).toBe(160);
    expect(stdout.join('')).toMatch(/out\.png: 80 x 64 at ratio 2\n$/);
  });

  it('prints the result as JSON', async () => {
    put('assets/2/2/1', tileOf({ z: 2, x: 2, y: 1 })!);
    const source = { type: 'vector', tiles: ['{z}/{x}/{y}'] };
    const tiled = styleWith(source, { layers: [redTiles] });
    const assets = ['--assets', join(folder, 'assets')];
    await run(tiled, '--json', '--center', '45,40', '--zoom', '2', '--size', '64x64', ...assets);
    expect(JSON.parse(stdout.join(''))).toMatchObject({
      width: 64,
      pixelRatio: 1,
      view: { center: [45, 40], zoom: 2 },
      tiles: { s: 1 },
    });
  });

  it('names what the picture lacks, as text and as JSON', async () => {
    const layout = { 'text-field': '東', 'text-font': ['Noto Sans Regular'], 'icon-image': 'a' };
    const labels = styleWith(
      { type: 'geojson', data: { type: 'Point', coordinates: [0, 0] } },
      {
        layers: [{ id: 't', type: 'symbol', source: 's', layout }],
        glyphs: 'local://{fontstack}/{range}.pbf',
      },
    );
    expect(await run(labels)).toBe(0);
    const [, ...lines] = stdout.join('').trim().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^Warning: The layer "t" is drawn without letters .*: 東\./),
      expect.stringMatching(/^Warning: The layer "t" is drawn without images .*: "a"\./),
    ]);
    stdout.length = 0;
    await run(labels, '--json');
    const { warnings } = JSON.parse(stdout.join(''));
    expect(lines).toEqual(warnings.map((warning: string) => `Warning: ${warning}`));
  });

  it('names the broken features of a file, and draws the rest with closed rings', async () => {
    const [ring] = whole.coordinates;
    const open = { ...whole, coordinates: [ring!.slice(0, -1)] };
    const features = [{ type: 'Point' }, open].map((geometry) => ({ type: 'Feature', geometry }));
    put('whole.json', { type: 'FeatureCollection', features });
    expect(await run(style)).toBe(0);
    expect(stdout.join('')).toMatch(
      /\nWarning: sources\.s\.data \(whole\.json\) .*: features\[0\]/,
    );
    const output = readFileSync(join(folder, 'out.png'));
    put('whole.json', whole);
    await run(style);
    expect(output.equals(readFileSync(join(folder, 'out.png')))).toBe(true);
  });

  it('reads tiles from an archive for all sources or one', async () => {
    const bytes = tileOf({ z: 2, x: 2, y: 1 })!;
    const file = put('city.pmtiles', pmtiles([{ z: 2, x: 2, y: 1, bytes }]));
    const tiled = styleWith({ type: 'vector', url: 'https://x' }, { layers: [redTiles] });
    const view = ['--json', '--center', '45,40', '--zoom', '2', '--size', '64x64'];
    for (const tiles of [file, `s=${file}`]) {
      stdout.length = 0;
      expect(await run(tiled, ...view, '--tiles', tiles)).toBe(0);
      expect(JSON.parse(stdout.join(''))).toMatchObject({ tiles: { s: 1 } });
    }
    expect(await run(tiled, ...view, '--tiles', file, '--tiles', `s=${file}`)).toBe(1);
    expect(stderr.join('')).toContain(
      'names no source. With several files, write each as SOURCE=FILE',
    );
  });

  it('exits with 3 and the name of an unsupported property', async () => {
    put('whole.json', whole);
    const blended = { ...red, paint: { 'fill-layer-blend': 'screen' } };
    expect(await run({ ...style, layers: [blended] })).toBe(3);
    expect(stderr.join('')).toContain('layers[0].paint.fill-layer-blend');
  });

  it('exits with 1 and every problem of an invalid style', async () => {
    expect(await run({ ...style, layers: [{ ...red, paint: { a: 1, b: 2 } }] })).toBe(1);
    expect(stderr.filter((line) => line.startsWith('territory-admin: '))).toHaveLength(2);
  });

  it('exits with 1 if the picture cannot be written', async () => {
    put('whole.json', whole);
    expect(await run(style, '-o', join(folder, 'no', 'such', 'folder.png'))).toBe(1);
    expect(stderr.join('')).toContain('There is no file or folder');
  });
});

describe('a style document’s sprite', () => {
  const withIcon = (image: string, sprite: unknown = 'local://sprites/map') =>
    styleWith(
      { type: 'geojson', data: { type: 'Point', coordinates: [-4, 0] } },
      {
        sprite,
        layers: [{ id: 'i', type: 'symbol', source: 's', layout: { 'icon-image': image } }],
      },
    );
  async function putSprite(path: string, pixelRatio = 1): Promise<object> {
    const { index, sheet } = await spriteFiles(pixelRatio);
    put(`${path}.json`, index);
    put(`${path}.png`, sheet);
    return index;
  }

  it('has images for one and for two device pixels per pixel', async () => {
    await putSprite('sprites/map');
    expect(await middle(withIcon('flag'))).toEqual(BLUE);
    const doubled = { pixelRatio: 2, width: 50, height: 50 };
    await expect(read(withIcon('flag'), doubled)).rejects.toThrow(
      /sprite names .*sprites.map@2x\.json, which does not exist: add the file/,
    );
    await putSprite('sprites/map@2x', 2);
    expect(await middle(withIcon('flag'), doubled)).toEqual(BLUE);
  });

  it('may be one of several, whose images are named with their id', async () => {
    await putSprite('a');
    await putSprite('b');
    const sprites = [
      { id: 'default', url: 'a' },
      { id: 'more', url: 'local://b?v=2' },
    ];
    expect(await middle(withIcon('more:flag', sprites))).toEqual(BLUE);
    const { images } = await read(withIcon('flag', sprites));
    expect(Object.keys(images!)).toContain('flag');
    expect(images!.flag!.pixels.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  it('isn’t read if no visible layer uses images', async () => {
    const style = styleWith({ type: 'geojson', data: whole }, { sprite: 'https://example.com/s' });
    expect(await middle(style)).toEqual(RED);
    expect(await problemsOf(withIcon('flag', 'https://example.com/s'))).toContain(
      'sprite is "https://example.com/s.json", but only local files are read',
    );
  });

  const FLAG = { x: 0, y: 0, width: 8, height: 8 };
  it.each([
    ['a list', [], "isn't an object of images by name"],
    [
      'an image outside the sheet',
      { flag: { ...FLAG, x: 30 } },
      "isn't inside the sheet of 36 x 80",
    ],
    ['an image without a size', { flag: { x: 0, y: 0 } }, 'needs "x", "y", "width", and "height"'],
    ['a negative ratio', { flag: { ...FLAG, pixelRatio: -1 } }, 'has a "pixelRatio"'],
    ['a bad stretch', { flag: { ...FLAG, stretchX: [[4, 9]] } }, 'has a "stretchX"'],
    ['a bad content', { flag: { ...FLAG, content: [0, 0, 9, 9] } }, 'has a "content"'],
    ['a bad fit', { flag: { ...FLAG, textFitWidth: 'wide' } }, 'has a "textFitWidth" other than'],
    [
      'too many images of the same pixels',
      Object.fromEntries(
        Array.from({ length: 7000 }, (_, i) => [i, { x: 0, y: 0, width: 32, height: 80 }]),
      ),
      'has images beyond the limit of 16,777,216 pixels',
    ],
  ])('is refused with an index that has %s', async (_, index, problem) => {
    await putSprite('sprites/map');
    put('sprites/map.json', index);
    const problems = await problemsOf(withIcon('flag'));
    expect(problems).toContain('sprite (local://sprites/map.json)');
    expect(problems).toContain(problem);
  });

  it('is refused with a sheet that is missing or broken', async () => {
    await putSprite('sprites/map');
    const { sheet } = await spriteFiles();
    for (const broken of ['<svg/>', sheet.subarray(0, 100)]) {
      put('sprites/map.png', broken);
      expect(await problemsOf(withIcon('flag'))).toContain("map.png) isn't a PNG");
    }
    rmSync(join(folder, 'sprites/map.png'));
    expect(await problemsOf(withIcon('flag'))).toMatch(/map\.png, which does not exist/);
  });
});
