import { readFile, writeFile } from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { afterAll, describe, expect, it, vi } from 'vitest';
import {
  exampleOf,
  PublicZipProfile,
  PublicZipVerticalScore,
} from '../../../src/base/contract/resources.ts';
import {
  PublicBestZips,
  PublicDataStudy,
  PublicMetroVertical,
  PublicVerticalSummary,
} from '../../../src/base/contract/vertical-resources.ts';
import { MAP_LAYERS } from '../../../src/data/basemap/features.ts';
import { COMMANDS } from '../../../src/doors/cli/territory/commands.ts';
import { fakeService, scripted, territory } from './territory.ts';

const folder = mkdtempSync(join(tmpdir(), 'territory-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

const redirectToFolder = (words: string) => words.replace('-o ', `-o ${folder}/`);

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0x00]);
const png = { headers: { 'Content-Type': 'image/png' }, body: PNG };

const perLayer = <T>(value: T) => Object.fromEntries(MAP_LAYERS.map((name) => [name, value]));
const CONTEXT = {
  layers: perLayer({ type: 'FeatureCollection', features: [] }),
  meta: {
    bounds: [-97.5, 32.5, -96.5, 33.1],
    zoom: 10,
    attribution:
      'Natural Earth 1:10m, and others whose names are long enough to need a second line',
    counts: { ...perLayer(1), roads: 1234 },
    vintage: { ...perLayer(null), roads: 'Natural Earth 1:10m' },
    synthetic: [],
    palettes: {},
  },
};
const CONTRACT = {
  openapi: '3.1.0',
  info: { title: 'Territory', version: '2026-08-22' },
  paths: {
    '/healthz': { parameters: [], get: { summary: 'Health of the service' } },
    '/agent/mcp-manifest.json': { get: { summary: 'Manifest', deprecated: true } },
  },
};

const MCP_INFO = {
  endpoint: 'https://territory.example.com/mcp',
  tools: [
    { name: 'service_score_territory', summary: 'Ranks ZIP codes', units: 10 },
    { name: 'service_apply_territory', summary: 'Adds ZIP codes', units: 1, write: true },
  ],
};

/** Matched in order by the start of the path */
const ANSWERS: [RegExp, string, string, unknown][] = [
  [/^\/public\/zip\/\d+\/vertical/, 'application/json', 'score', exampleOf(PublicZipVerticalScore)],
  [/^\/public\/zip/, 'application/json', 'profile', exampleOf(PublicZipProfile)],
  [/^\/public\/vertical/, 'application/json', 'vertical', exampleOf(PublicVerticalSummary)],
  [/map\.png/, 'image/png', 'map', PNG],
  [/best-zips$/, 'application/json', 'best', exampleOf(PublicBestZips)],
  [/^\/public\/metro/, 'application/json', 'metro', exampleOf(PublicMetroVertical)],
  [/\.csv$/, 'text/csv; charset=utf-8', 'csv', 'metroSlug\r\ndallas-tx\r\n'],
  [/^\/public\/data-study/, 'application/json', 'study', exampleOf(PublicDataStudy)],
  [/^\/map-context/, 'application/json', 'context', CONTEXT],
  [/\.yaml$/, 'application/yaml', 'yaml', 'openapi: 3.1.0\n'],
  [/^\/openapi/, 'application/json', 'contract', CONTRACT],
  [/^\/mcp\/info/, 'application/json', 'tools', MCP_INFO],
];

/** Answers every request with the contract's example. */
const exampleService = () =>
  fakeService((request, response) => {
    const [, type, , body] = ANSWERS.find(([path]) => path.test(request.url!))!;
    scripted({ headers: { 'Content-Type': type }, body: body as object })(request, response);
  });

/** Commands that need no key */
const PUBLIC_COMMANDS = [
  'zip 75201 --vertical roofing',
  'vertical hvac',
  'metro dallas-tx roofing',
  'best dallas-tx roofing',
  'study',
  'map-context --bbox 0,0,1,1 --zoom 3',
  'openapi',
];

describe('a territory command', () => {
  const MAP = '/public/metro/dallas-tx/vertical/roofing/map.png';
  it.each([
    ['zip 75201', '/public/zip/75201'],
    ['zip 75201 --vertical roofing', '/public/zip/75201/vertical/roofing'],
    ['vertical hvac', '/public/vertical/hvac'],
    ['metro dallas-tx roofing', '/public/metro/dallas-tx/vertical/roofing'],
    ['best dallas-tx roofing', '/public/metro/dallas-tx/vertical/roofing/best-zips'],
    ['study', '/public/data-study'],
    ['study --csv', '/public/data-study.csv'],
    ['study -o study.csv', '/public/data-study.csv'],
    ['map dallas-tx roofing -o map.png', MAP],
    [
      'map dallas-tx roofing -o map.png --size 1200x800 --ratio 2 --style dark',
      `${MAP}?size=1200x800&ratio=2&style=dark`,
    ],
    [
      'map-context --bbox -97.5,32.5,-96.5,33.1 --zoom 10',
      '/map-context?bbox=-97.5%2C32.5%2C-96.5%2C33.1&zoom=10',
    ],
    ['tools', '/mcp/info'],
    ['openapi', '/openapi.json'],
    ['openapi --yaml', '/openapi.yaml'],
    ['openapi -o contract.yml', '/openapi.yaml'],
    ['zip a/b?c#d', '/public/zip/a%2Fb%3Fc%23d'],
  ])('requests the right path: territory %s', async (words, path) => {
    const service = await exampleService();
    expect(await territory(service, redirectToFolder(words))).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(service.requests.map(({ url }) => url)).toEqual([path]);
  });
});

describe('the output of territory', () => {
  it('shows a ranking in aligned columns', async () => {
    const service = await exampleService();
    const { stdout } = await territory(service, 'best dallas-tx roofing');
    expect(stdout).toBe(
      [
        'Best ZIP codes for Roofing in Dallas, TX',
        '',
        '  Rank  ZIP    City       State  Score',
        '     1  75035  Frisco     TX       100  ━━━━━━━━━━',
        '     2  76063  Mansfield  TX        99  ━━━━━━━━━━',
        '  Top 2 only; the market has more.',
        '',
        'Scores: ACS 5-Year 2019-2023',
        '',
      ].join('\n'),
    );
  });

  it('shows census figures with units, top codes with a plus, and missing values as a dash', async () => {
    const { demographics, ...profile } = exampleOf(PublicZipProfile) as {
      demographics: Record<string, unknown>;
    };
    const figures = { medianHouseholdIncome: 250_001, medianHomeValue: null, medianAge: undefined };
    const service = await fakeService(
      scripted({ body: { ...profile, demographics: { ...demographics, ...figures } } }),
    );
    const { stdout } = await territory(service, 'zip 75201');
    expect(stdout).toMatch(/^75201 {2}Dallas, TX {2}\(Dallas, TX metro\)\n/);
    expect(stdout).toMatch(/^ {2}Roofing {5}41 {2}━━━━──────$/m);
    expect(stdout).toMatch(/^ {2}Population +17,350$/m);
    expect(stdout).toMatch(/^ {2}Owner share +19\.0%$/m);
    expect(stdout).toMatch(/^ {2}Median household income {2,}\$250,000\+$/m);
    expect(stdout).toMatch(/^ {2}Median home value +–$/m);
    expect(stdout).toMatch(/^ {2}Median age +–$/m);
    expect(stdout).toMatch(/^ {2}Median year built +2008$/m);
    expect(stdout).toMatch(/Scores: ACS 5-Year 2019-2023, computed on 2026-08-22\n$/);
  });

  it('says why a score is missing', async () => {
    const body = { ...(exampleOf(PublicZipVerticalScore) as object), score: null };
    const { stdout } = await territory(
      await fakeService(scripted({ body })),
      'zip 75201 --vertical roofing',
    );
    expect(stdout).toContain('Roofing demand  –  not enough data to score this ZIP code\n');
  });

  it('charts the distribution of scores, with the longest bar for the largest bin', async () => {
    const { stdout } = await territory(await exampleService(), 'metro dallas-tx roofing');
    expect(stdout).toContain('283 ZIP codes, 279 scored; average score 61.4');
    const bars = [...stdout.matchAll(/^ +(\d+)–\d+ +(\d+) {2}(━*)$/gm)];
    expect(bars.map(([, from]) => Number(from))).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
    expect(bars.map(([, , zips]) => Number(zips))).toContain(49);
    expect(
      bars.map(([, , zips, bar]) => bar!.length === Math.ceil((Number(zips) / 49) * 40)),
    ).toEqual(bars.map(() => true));
  });

  it('lists the signals of a vertical with the reason under each', async () => {
    const { stdout } = await territory(await exampleService(), 'vertical roofing');
    expect(stdout).toContain(
      '  30%  ↑ Owner households\n       Every owner household has a roof to maintain.\n',
    );
  });

  it('lists the operations of the API and marks deprecated ones', async () => {
    const { stdout } = await territory(await exampleService(), 'openapi');
    expect(stdout).toContain('  GET  /healthz\n       Health of the service\n');
    expect(stdout).toContain('  GET  /agent/mcp-manifest.json\n       Manifest (deprecated)\n');
  });

  it('lists the tools with their units and marks those that make changes', async () => {
    const { stdout } = await territory(await exampleService(), 'tools');
    expect(stdout).toContain('\n  10  service_score_territory\n      Ranks ZIP codes\n');
    expect(stdout).toContain('\n   1  service_apply_territory *\n');
  });

  it('fits 80 columns and has no trailing spaces', async () => {
    for (const words of [
      'zip 75201',
      ...PUBLIC_COMMANDS,
      'tools',
      '--help',
      'map --help',
      'plan --help',
      'target --help',
    ]) {
      const { stdout } = await territory(await exampleService(), words);
      const lines = stdout.split('\n').filter((line) => !line.startsWith('  territory '));
      expect(lines.filter((line) => stringWidth(line) > 80 || /\s$/.test(line))).toEqual([]);
    }
  });

  it('aligns columns that contain wide letters and accents', async () => {
    const zip = { zipCode: '75201', state: null, score: 50, rank: 1 };
    const zips = ['東京', 'Cañon City', 'Cañon City', '👩‍🌾 Farm', null].map((city) => ({
      ...zip,
      city,
    }));
    const body = { ...(exampleOf(PublicBestZips) as object), zips };
    const { stdout } = await territory(
      await fakeService(scripted({ body })),
      'best dallas-tx roofing',
    );
    const rows = stdout.split('\n').filter((line) => line.includes('75201'));
    expect(rows).toHaveLength(5);
    const ends = rows.map((row) => stringWidth(row.slice(0, row.indexOf('━'))));
    expect(new Set(ends).size).toBe(1);
  });

  it('contains no control characters from the response', async () => {
    const zips = [{ zipCode: '75201', city: '\u001b[2J\u009bDallas\u0007', score: 1 }];
    const body = { ...(exampleOf(PublicBestZips) as object), zips };
    const good = await territory(await fakeService(scripted({ body })), 'best dallas-tx roofing');
    const error = { status: 404, body: { error: 'There is no \u001b[31m"x".' } };
    const bad = await territory(await fakeService(scripted(error)), 'best dallas-tx x');
    expect(good.stdout).toContain('75201   [2J Dallas   ');
    expect(bad.stderr).toBe('territory: There is no  [31m"x".\n');
  });

  it.each([
    [
      'best dallas-tx roofing',
      PublicBestZips,
      { zips: [{ zipCode: '75201', score: 'high' }] },
      'zips.0.score must be a number',
    ],
    [
      'metro dallas-tx roofing',
      PublicMetroVertical,
      { zipCount: null, sampled: 'no' },
      'zipCount must be a number; sampled must be true or false',
    ],
    ['study', PublicDataStudy, { verticals: {} }, 'verticals must be a list'],
  ])('is an error that names the fields if some are wrong: territory %s', async (...row) => {
    const [words, resource, wrong, why] = row;
    const body = { ...(exampleOf(resource) as object), ...wrong };
    expect(await territory(await fakeService(scripted({ body })), words)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`territory: Could not read the response: ${why}. Check`),
    });
  });

  it('accepts unknown fields and values of a newer service', async () => {
    const summary = exampleOf(PublicVerticalSummary) as { signals: object[] };
    const signals = [{ ...summary.signals[0]!, direction: 'middling', kind: 'mood' }];
    const body = { ...summary, signals, moonPhase: 'full' };
    const { code, stdout } = await territory(
      await fakeService(scripted({ body })),
      'vertical hvac',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('  30%  middling Owner households\n');
  });
});

describe('colors', () => {
  const ask = async (terminal: boolean) =>
    (await territory(await exampleService(), 'best dallas-tx roofing', { terminal })).stdout;
  const COLOR = '\u001b[';

  it('appear only on a terminal', async () => {
    expect(await ask(true)).toContain(COLOR);
    expect(await ask(false)).not.toContain(COLOR);
  });

  it.each([
    ['NO_COLOR', true, false],
    ['FORCE_COLOR', false, true],
  ])('respect %s', async (name, terminal, shown) => {
    vi.stubEnv(name, '1');
    const text = await ask(terminal);
    vi.stubEnv(name, undefined);
    expect(text.includes(COLOR)).toBe(shown);
  });
});

describe('territory --json', () => {
  it('prints the response byte for byte', async () => {
    const body = '{ "zipCode":"75201",\n "new": [1.0, 1e2, "\\u00fc ü"] }';
    const { stdout } = await territory(await fakeService(scripted({ body })), 'zip 75201 --json');
    expect(stdout).toBe(body);
  });

  it('works with every command', async () => {
    for (const words of [...PUBLIC_COMMANDS, 'map dallas-tx roofing -o map.png']) {
      const { code, stdout } = await territory(
        await exampleService(),
        redirectToFolder(`${words} --json`),
      );
      expect([words, code, typeof JSON.parse(stdout)]).toEqual([words, 0, 'object']);
    }
  });

  it.each(['study --csv', 'openapi --yaml'])('cannot be combined with %s', async (words) => {
    const service = await exampleService();
    expect(await territory(service, `${words} --json`)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^\{"error":"Option '.*' cannot be used with option '--json'","code":"usage","exitCode":2\}\n$/,
      ),
    });
    expect(service.requests).toEqual([]);
  });
});

describe('a picture', () => {
  it('is written to a file unchanged, with a line that names the file', async () => {
    const file = join(folder, 'picture.png');
    const service = await fakeService(scripted(png));
    const saved = await territory(service, ['map', 'dallas-tx', 'roofing', '-o', file]);
    expect(saved).toMatchObject({ code: 0, stdout: `${file}: 10 bytes, image/png\n` });
    expect((await readFile(file)).equals(PNG)).toBe(true);
    const json = await territory(service, ['map', 'dallas-tx', 'roofing', '-o', file, '--json']);
    expect(JSON.parse(json.stdout)).toEqual({ file, type: 'image/png', bytes: 10 });
  });

  it('is saved with a sentence about ZIP codes that it doesn’t name or show', async () => {
    const file = join(folder, 'counted.png');
    const counted = (counts: string) =>
      fakeService(scripted({ ...png, headers: { ...png.headers, 'Map-Zip-Codes': counts } }));
    const save = ['map', 'dallas-tx', 'roofing', '-o', file];
    const counts = 'drawn=170, unlabeled=20, missing=1, elsewhere=0, new=5';
    const { stdout } = await territory(await counted(counts), save);
    expect(stdout).toBe(
      `${file}: 10 bytes, image/png\n1 ZIP code without a boundary is not drawn. 20 ZIP codes in view have no label.\n`,
    );
    const json = await territory(await counted(counts), [...save, '--json']);
    const zips = { drawn: 170, unlabeled: 20, missing: 1, elsewhere: 0 };
    expect(JSON.parse(json.stdout)).toEqual({ file, type: 'image/png', bytes: 10, zips });
    const none = await territory(await counted(counts.replaceAll(/=\d+/g, '=0')), save);
    expect(none.stdout).toBe(`${file}: 10 bytes, image/png\n`);
  });

  it('is written to a pipe unchanged', async () => {
    const { bytes } = await territory(await fakeService(scripted(png)), 'map dallas-tx roofing');
    expect(bytes.equals(PNG)).toBe(true);
  });

  it.each([
    ['on a terminal', 'map dallas-tx roofing', true],
    ['as JSON', 'map dallas-tx roofing --json', false],
  ])('is not requested when it would be printed %s', async (_where, words, terminal) => {
    const service = await fakeService(scripted(png));
    expect(await territory(service, words, { terminal })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Name a file for the picture, such as -o map.png'),
    });
    expect(service.requests).toEqual([]);
  });
});

describe('an output file', () => {
  it('stays unchanged when the call fails', async () => {
    const file = join(folder, 'kept.json');
    await writeFile(file, 'precious');
    const service = await fakeService(scripted({ status: 404, body: { error: 'Gone.' } }));
    expect(await territory(service, ['zip', '75201', '-o', file])).toMatchObject({ code: 3 });
    expect(await readFile(file, 'utf8')).toBe('precious');
  });

  it.each([
    ['in a missing folder', join(folder, 'none', 'x.json'), 'the folder does not exist'],
    ['with the name of a folder', folder, 'it is a folder'],
  ])('%s ends with exit code 1', async (_what, file, why) => {
    expect(await territory(await exampleService(), ['study', '-o', file])).toMatchObject({
      code: 1,
      stderr: `territory: Could not write ${file}: ${why}.\n`,
    });
  });
});

describe('an error with --json', () => {
  it('has the fields of the service’s Error object, and the exit code', async () => {
    const usage = { unitsUsed: 1000, unitsIncluded: 1000 };
    const body = { error: 'No units are left.', code: 'usage_quota_exceeded', usage };
    const service = await fakeService(scripted({ status: 402, body }));
    const { stdout, stderr } = await territory(service, 'zip 75201 --json');
    expect([stdout, JSON.parse(stderr)]).toEqual(['', { ...body, exitCode: 5 }]);
    const proxy = await fakeService(scripted({ status: 502, body: '<html>' }));
    const { stderr: text } = await territory(proxy, 'zip 75201 --json --no-retry');
    expect(JSON.parse(text)).toMatchObject({ code: 'unavailable', exitCode: 7 });
  });
});

describe('help', () => {
  it('covers every command with working examples', async () => {
    const service = await exampleService();
    const { stdout } = await territory(service, '--help');
    const commands = [...stdout.matchAll(/^ {2}([a-z-]+) (?:[<[]| {2})/gm)].map(
      ([, name]) => name!,
    );
    const names = Object.values(COMMANDS)
      .flat()
      .map(({ usage }) => usage.split(/ [<[]/)[0]!.split(' '));
    expect(commands).toHaveLength(1 + new Set(names.map(([first]) => first)).size);
    const publicCommands = Object.values(COMMANDS)[0]!.map(({ usage }) => usage.split(' ')[0]);
    for (const command of names) {
      const help = await territory(service, [...command, '--help']);
      expect(help.code).toBe(0);
      const examples = [...help.stdout.matchAll(/^ {2}territory (.+?)(?: [|>].*)?$/gm)];
      expect(examples.length).toBeGreaterThan(0);
      // Commands that need a key run against a real service in test/journeys.
      if (!publicCommands.includes(command[0]!)) continue;
      for (const [, words] of examples.filter(([, words]) => !words!.includes('--full'))) {
        expect([words, (await territory(service, redirectToFolder(words!))).code]).toEqual([
          words,
          0,
        ]);
      }
    }
  });

  it('starts with five commands and their examples if none is given', async () => {
    const service = await exampleService();
    const { code, stdout, stderr } = await territory(service, []);
    expect([code, stderr]).toEqual([0, '']);
    const examples = [...stdout.matchAll(/^ {2}territory (\S+)/gm)].map(([, name]) => name);
    expect(examples).toEqual(['zip', 'best', 'map', 'score', 'discover']);
  });

  it('lists operands, exit codes, and environment variables', async () => {
    const { stdout } = await territory(await exampleService(), '--help');
    expect(stdout).toMatch(/ {2}health \[brand\] [^]* {2}apply <brand> <zips\.\.\.> /);
    expect(stdout).toMatch(/TERRITORY_URL[^]*Exit codes:\n {2}0 {2}success[^]*\n {2}7 {2}/);
  });

  it.each([
    ['zap', /^territory: unknown command 'zap'/],
    ['zip', /^territory: missing required argument 'zip'/],
    ['zip 75201 75202', /^territory: too many arguments/],
    ['zip 75201 --vertigo', /^territory: unknown option '--vertigo'/],
    ['map-context --zoom 3', /^territory: required option '--bbox <bbox>' not specified/],
    [
      'map-context --bbox 1,1,2,2 --zoom 3 --zoom 4',
      /^territory: option '--zoom <number>' is given twice\. Send it once\./,
    ],
    ['study --timeout 0', /^territory: .*Expected seconds, more than 0/],
    ['metro .. hvac', /^territory: "\.\." is not a valid name\.\n$/],
  ])('is suggested after wrong usage, with exit code 2: territory %s', async (words, why) => {
    const service = await exampleService();
    const { code, stdout, stderr } = await territory(service, words.split(' ').filter(Boolean));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(why);
    expect(service.requests).toEqual([]);
  });
});
