import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import stringWidth from 'string-width';
import { afterAll, describe, expect, it } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { COMMANDS } from '../../../src/doors/cli/territory/commands.ts';
import { driveTimesFrom } from '../../../src/data/routing/drive-times.ts';
import { findBrand } from '../../../src/territories/brands/brands.ts';
import { saveData } from '../../territories/own-data/saved.ts';
import { serveDemo } from '../mcp/service.ts';
import { testDatabase } from '../../support/database.ts';
import { startRouter } from '../../support/servers/router.ts';
import { unlimited } from '../../support/unlimited.ts';
import { casesOf, runs } from '../../support/thorough.ts';
import { territory } from './territory.ts';

const { db } = await testDatabase('sample');
const router = await startRouter();
const driveTimes = driveTimesFrom({ url: router.url, engine: 'valhalla', timeoutMs: 5_000 });
const demo = await serveDemo(db, { driveTimes, limiter: unlimited() });
const BRAND = 'lone-star-roofing';

const folder = mkdtempSync(join(tmpdir(), 'territory-account-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'zips.txt'), '76102\n76107\n');
writeFileSync(join(folder, 'offices.csv'), 'name,kind,zip\nPlano office,office,75023\n');
writeFileSync(join(folder, 'rivals.xlsx'), 'name,zip\nRapid Roofing,75201\nNobody,99999\n');
writeFileSync(
  join(folder, 'jobs.csv'),
  'ZIP,Jobs,Revenue\n75201,40,4000\n75204,12,900\n76102,25,1800\n',
);
const workbook = (...rows: string[][]) =>
  writeXlsxFile([
    { sheet: 'ZIPs', data: rows.map((row) => row.map((value) => ({ value, type: String }))) },
  ]).toBuffer();
writeFileSync(join(folder, 'leads.csv'), 'Name,Zip\nAnn,75201\nBob,79936\nCid,Dallas\n');
writeFileSync(
  join(folder, 'leads.xlsx'),
  await workbook(['Name', 'Postal code'], ['Ann', '75201'], ['Bob', '']),
);
const feature = (properties: object) =>
  JSON.stringify({ type: 'Feature', properties, geometry: SQUARE });
const corners = [
  [-97.4, 32.7],
  [-97.3, 32.7],
  [-97.3, 32.8],
  [-97.4, 32.7],
];
const SQUARE = { type: 'Polygon', coordinates: [corners] };
writeFileSync(
  join(folder, 'crm.xlsx'),
  await workbook(['ZIP', 'Open leads', 'Won'], ['75201', '9', '3'], ['75204', '2', '1']),
);
writeFileSync(join(folder, 'input.json'), `{"brand": "${BRAND}", "zips": ["76104"]}`);

/** Splits a line as a shell does. Files are in the test's folder. */
const words = (line: string) =>
  (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) =>
    word.replace(/^(['"])(.*)\1$/, '$2').replace(/^@/, `@${folder}/`),
  );
const redirectToFolder = (line: string) =>
  line
    .replace(/(-o|--attention) /, `$1 ${folder}/`)
    .replace(/ ((?:jobs|crm|leads|offices|rivals)\.(?:csv|xlsx))/, ` ${folder}/$1`);

/** Commands that printed their key; empty for those that didn't */
const keyLeaks: string[] = [];
async function withKey(options: Parameters<typeof demo.anotherKey>[0] = {}) {
  const key = await demo.anotherKey(options);
  return async (line: string, more: { input?: string; terminal?: boolean | number } = {}) => {
    const env = { TERRITORY_API_KEY: key };
    const result = await territory({ url: demo.api }, words(line), { env, ...more });
    keyLeaks.push(result.stdout.includes(key) || result.stderr.includes(key) ? line : '');
    return result;
  };
}

const post = async (path: string, key: string, body: unknown) =>
  fetch(demo.api + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

const COMMANDS_WITH_KEY = Object.values(COMMANDS)
  .slice(1)
  .flat()
  .filter((command) => 'calls' in command);

describe('territory with a key', async () => {
  const ask = await withKey();

  it('prints the structured content of a tool unchanged', async () => {
    for (const [line, name, input] of [
      ['brands', 'list_brands', {}],
      [`brand ${BRAND} --flag shared`, 'get_brand_territory', { brand: BRAND, flag: 'shared' }],
      [`health ${BRAND}`, 'get_brand_health', { brand: BRAND }],
      ['score dallas-tx hvac', 'score_territory', { metro: 'dallas-tx', vertical: 'hvac' }],
      ['zip 59001 --full', 'get_zip_profile', { zip: '59001' }],
      ['activity --organization', 'get_activity', { scope: 'organization' }],
    ] as const) {
      const params = { name: `service_${name}`, arguments: input };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const { result } = (await (await post('/mcp', demo.key, body)).json()) as any;
      expect(await ask(`${line} --json`)).toMatchObject({
        code: 0,
        stderr: '',
        stdout: JSON.stringify(result.structuredContent),
      });
    }
  });

  it('prints a REST response unchanged', async () => {
    const body = { metro: 'dallas-tx', vertical: 'roofing', size: 5 };
    const plan = await (await post('/agent/territory-plan', demo.key, body)).text();
    const line = 'plan dallas-tx --vertical roofing --size 5 --json';
    expect((await ask(line)).stdout).toBe(plan);
    const { stdout } = await ask('capabilities --json');
    expect(JSON.parse(stdout)).toMatchObject({ accessEnabled: true, mayWrite: true });
  });

  it('shows the brands in a table', async () => {
    expect((await ask('brands')).stdout).toBe(
      [
        'Brands',
        '',
        '  Name               Slug               Live  Pending',
        '  Desert Air HVAC    desert-air-hvac      25        3',
        '  Lone Star Roofing  lone-star-roofing    34        0',
        '',
      ].join('\n'),
    );
  });

  it('joins all pages into one list', async () => {
    const whole = await ask(`brand ${BRAND} --limit 200 --json`);
    const pages = await ask(`brand ${BRAND} --limit 10 --all --json`);
    expect(JSON.parse(pages.stdout)).toEqual(JSON.parse(whole.stdout));
    const { stdout } = await ask(`brand ${BRAND} --limit 10`);
    const [, cursor] = /--cursor (\S+)\n/.exec(stdout)!;
    const next = await ask(`brand ${BRAND} --limit 10 --cursor ${cursor} --json`);
    expect(JSON.parse(next.stdout).zips).toEqual(JSON.parse(whole.stdout).zips.slice(10, 20));
  });

  it('drops columns that do not fit', async () => {
    const heading = async (terminal: number) =>
      /Rank .*/.exec((await ask('score dallas-tx roofing --limit 3', { terminal })).stdout)![0];
    expect(await heading(50)).not.toContain('Owners');
    expect(await heading(60)).toMatch(/Households {2}Owners(?!.*Home value)/);
    expect(await heading(100)).toContain('Home value');
  });

  it('draws a map in the requested size and style', async () => {
    const file = join(folder, 'drawn.png');
    const result = await ask(`render ${BRAND} --size 600x400 --ratio 2 --style dark -o ${file}`);
    expect(result).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('34 ZIP codes drawn on 1200 x 800 pixels'),
    });
    expect(await sharp(readFileSync(file)).metadata()).toMatchObject({
      format: 'png',
      width: 1200,
      height: 800,
    });
  });

  it.each([
    ['brand nobody', 3, /There is no brand "nobody"\. Available brands: desert-air-hvac/],
    ['score boise-id hvac', 3, /no launched metro "boise-id"/],
    [`apply ${BRAND} 7610`, 4, /zips.*five digits/],
    ['score dallas-tx hvac --limit 1000', 4, /limit must be at most 200/],
    ['discover roofing', 4, /Give one of nearZip, nearPoint, city, and brand/],
    ['call nope', 4, /Unknown tool: service_nope\. Available tools: service_get_capabilities/],
    ['unshare nothing', 3, /no share link/],
  ])('explains why territory %s fails, with exit code %i', async (line, code, why) => {
    const result = await ask(line);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toMatch(why);
  });
});

describe('an export', () => {
  it('is written to a file, and is refused above the maximum price', async () => {
    const ask = await withKey();
    const refused = await ask(`export ${BRAND} --max-units 0 -o ${folder}/territory.xlsx`);
    expect(refused.stderr).toMatch(
      /costs 1 unit, more than your maximum of 0\. Nothing was charged/,
    );
    for (const [format, start] of [
      ['xlsx', 'PK'],
      ['csv', '\u{FEFF}zip,city'],
      ['geojson', '{"type":"FeatureCollection"'],
      ['kml', '<?xml'],
    ] as const) {
      const file = join(folder, `territory.${format}`);
      const { code, stderr } = await ask(`export ${BRAND} --format ${format} -o ${file}`);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
      expect(readFileSync(file, 'utf8').startsWith(start)).toBe(true);
    }
    const terminal = await ask(`export ${BRAND}`, { terminal: true });
    expect(terminal.stderr).toContain('Name a file for the workbook, such as -o territory.xlsx');
  });
});

describe('a change', async () => {
  const ask = await withKey();
  const zipsOf = async (status: string) =>
    (
      JSON.parse((await ask(`brand ${BRAND} --status ${status} --json`)).stdout).zips as {
        zip: string;
      }[]
    ).map(({ zip }) => zip);

  it('is previewed, confirmed, queued for review, removed, and listed in the activity', async () => {
    const live = await zipsOf('live');
    const line = `apply ${BRAND} 79936 ${live[0]} 00000 --note Near`;
    const preview = await ask(line);
    expect(preview.code).toBe(8);
    expect(preview.stdout).toMatch(/To be queued for review for .* \(1\): 79936\./);
    expect(preview.stdout).toMatch(`Already live (1): ${live[0]}.`);
    expect(preview.stdout).toMatch('Skipped, not a known ZIP code (1): 00000.');
    expect(await zipsOf('pending')).toEqual([]);

    const done = await ask(`${line} --confirm`);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    const [, batch] = /territory pending --batch (\S+)\n/.exec(done.stdout)!;
    expect((await ask(`pending --batch ${batch}`)).stdout).toMatch(
      /79936 {2}El Paso, TX {2}for Lone Star Roofing\n +requested by Another key on .*: Near\n/,
    );
    expect(await zipsOf('pending')).toEqual(['79936']);

    const removed = await ask(`remove ${BRAND} - --reason Far --confirm`, { input: '79936\n' });
    expect(removed.stdout).toMatch('Removed from Lone Star Roofing (pending) (1): 79936.');
    const [, removal] = /^Removal (\S+)\. A person/m.exec(removed.stdout)!;
    expect(await zipsOf('pending')).toEqual([]);
    const listed = (await ask('activity')).stdout.replaceAll(/\s+/g, ' ');
    expect(listed).toContain(`A person can undo removal ${removal}.`);
  });

  it('creates a share link, lists it, and revokes it', async () => {
    const { stdout } = await ask(`share ${BRAND} --title Ours --days 3 --confirm`);
    const [, url, code] = /Picture: (\S+\/shared\/(\w+)\/map\.png)\n/.exec(stdout)!;
    expect((await fetch(url!)).headers.get('Content-Type')).toBe('image/png');
    const [page] = new RegExp(`http\\S+/s/${code}\\b`).exec(stdout)!;
    expect(await (await fetch(page)).text()).toContain('<h1>Ours');
    const { stdout: list } = await ask('shares');
    expect(list).toContain(`${code}  Lone Star Roofing: brand “Ours”, active until`);
    expect(list).toContain(page);
    expect((await ask(`unshare ${code}`)).code).toBe(8);
    expect((await ask(`unshare ${code} --confirm`)).stdout).toMatch(/^Revoked: /);
    expect((await fetch(url!)).status).toBe(404);
    expect((await ask(`unshare ${code} --confirm`)).stdout).toMatch(/^Nothing to do\./);
  });

  it('with a read-only key fails, and its preview says so', async () => {
    const reader = await withKey({ mayWrite: false });
    const preview = await reader(`remove ${BRAND} 75201`);
    expect(preview.code).toBe(8);
    expect(preview.stdout).toMatch(
      /This call would fail with --confirm\. The key "Another key" is read-only/,
    );
    expect(await reader(`remove ${BRAND} 75201 --confirm`)).toMatchObject({
      code: 5,
      stdout: '',
      stderr: expect.stringMatching(/^territory: The key "Another key" is read-only/),
    });
  });
});

describe('serving', () => {
  it('says who serves a ZIP code, a point, and the rows of a file', async () => {
    const ask = await withKey();
    const { stdout: one } = await ask('serving 75201');
    expect(one).toMatch(/^75201, Dallas, TX\n\nDesert Air HVAC \(desert-air-hvac\), since /);
    expect(one).toMatch(/\n\nLone Star Roofing \(lone-star-roofing\), since .*\n {2}\S/);
    expect((await ask('serving --point=-96.797,32.787')).stdout).toContain('(lone-star-roofing)');
    const { stdout } = await ask(`serving ${join(folder, 'leads.csv')}`);
    const lines = stdout.trim().split('\r\n');
    expect(lines[0]).toMatch(/Name,Zip,Brand,Brand slug,.*,Reason$/);
    expect(lines[1]).toMatch(
      /^Ann,75201,Desert Air HVAC; Lone Star Roofing,desert-air-hvac; lone-star-roofing,.*,75201,ZIP code,$/,
    );
    expect(lines[2]).toMatch(/^Bob,79936,,,.*"No brand serves 79936\. The nearest brand is /);
    expect(lines[3]).toMatch(/^Cid,Dallas,,,.*\S$/);
  });

  it('refuses an address without a geocoder, two places, and columns without a file', async () => {
    const ask = await withKey();
    expect(await ask('serving --address "1500 Marilla"')).toMatchObject({
      stderr: expect.stringContaining('GEOCODER_URL'),
    });
    for (const line of ['serving', 'serving 75201 --point=1,2', 'serving 75201 --sheet A']) {
      expect([line, (await ask(line)).code]).toEqual([line, 2]);
    }
    expect((await ask('serving missing.csv')).stderr).toContain('the file does not exist');
  });
});

describe('every command with a key', () => {
  /** Makes the plans and data sets that the examples of a command name. */
  async function makePlans(usage: string): Promise<void> {
    await demo.tenant.query('delete from territory_plans where organization_id = $1');
    await demo.tenant.query('delete from data_sets where organization_id = $1');
    await demo.tenant.query('delete from brand_groups where organization_id = $1');
    if (usage.startsWith('groups')) await makeGroups();
    if (usage.startsWith('changes')) await makeChange(usage);
    if (!usage.startsWith('data upload')) {
      await saveData(demo, 'Jobs 2025', { 75201: 40, 75204: 12 });
      await saveData(demo, 'Open leads', { 75201: 4 });
    }
    await demo.tenant.query('delete from places where organization_id = $1');
    if (/^places (?!import|add)/.test(usage)) {
      for (const name of ['Dallas office', 'Dallas depot']) {
        await post('/agent/places', demo.key, { name, kind: 'office', zip: '75201' });
      }
    }
    await demo.tenant.query('delete from locators where organization_id = $1');
    if (/^locators (?!list|create)/.test(usage)) await makeLocator();
    await demo.tenant.query('delete from webhook_endpoints where organization_id = $1');
    if (/^webhooks (?!list|add)/.test(usage)) await makeWebhook();
    if (!usage.startsWith('plan')) return;
    for (const name of ['Dallas 2027', 'Dallas, other']) {
      await post('/agent/plans', demo.key, { name, metro: 'dallas-tx', start: 'live' });
    }
    if (usage !== 'plans measure-delete') return;
    const measure = { name: 'Jobs', csv: 'zip,jobs\n75201,40' };
    await post('/agent/plans/Dallas%202027/measures', demo.key, measure);
  }

  /** The locator that the examples name */
  const makeLocator = () =>
    demo.tenant.query(
      `insert into locators (organization_id, code, title, created_by, changed_by)
       values ($1, '4f7k2m9x0q', 'Website', $2, $2)`,
      [{ kind: 'operator', id: null, name: 'Op' }],
    );

  async function makeGroups(): Promise<void> {
    const brands = [BRAND, 'desert-air-hvac'];
    for (const name of ['Franchisees', 'Stores in Texas']) {
      await post('/agent/brand-groups', demo.key, { name, brands, rule: 'warn' });
    }
    // The examples name their ids.
    await demo.tenant.query(
      `insert into zip_reserves (organization_id, id, group_id, zips, reason, until, created_by)
       select $1, given.id::uuid, g.id, '{75204}', 'Sale', '2099-03-31', '{"name": "Pat"}'
       from (values ('Franchisees', '0c8e4a52-41f3-4c55-9d3e-0b7c5c1e5d11'),
         ('Stores in Texas', '6e0f1f0a-9d53-4b7e-8a38-5d2f1f9b7c22')) as given (name, id)
       join brand_groups g on g.organization_id = $1 and g.name = given.name`,
    );
  }

  /** The change that the examples name, which the newest key made, in a state in which the command applies */
  async function makeChange(usage: string): Promise<void> {
    const id = '8d4c2b1a-9e7f-4a6b-8c5d-3e2f1a0b9c8d';
    // Other examples remove it.
    await demo.tenant.query(
      `insert into brand_zips (organization_id, brand_id, zip, state)
       select $1, id, '75201', 'live' from brands where organization_id = $1 and slug = $2
       on conflict (brand_id, zip) do update set state = 'live'`,
      [BRAND],
    );
    await demo.tenant.query(
      'update change_zips set is_open = false where organization_id = $1 and is_open',
    );
    await demo.tenant.query(
      `update changes set status = 'withdrawn' where organization_id = $1 and status <> 'live'`,
    );
    const status = usage.startsWith('changes undo') ? 'live' : 'waiting';
    await demo.tenant.query(
      `insert into changes (organization_id, id, source, made_by, status, live_at)
       select $1, $2, 'save', jsonb_build_object('kind', 'key', 'id', k.id, 'name', k.name), $3::text,
         case when $3 = 'live' then now() end
       from api_keys k where k.organization_id = $1 order by k.created_at desc limit 1
       on conflict (id) do update set status = excluded.status, live_at = excluded.live_at, on_day = null, due_at = null,
         made_by = excluded.made_by`,
      [id, status],
    );
    await demo.tenant.query(
      `insert into change_zips (organization_id, change_id, brand_id, zip, part, is_open)
       select $1, $2, bz.brand_id, bz.zip, case when $3 then 'removed' else 'added' end, $3
       from brand_zips bz where bz.organization_id = $1 and bz.state = 'live' and bz.zip <> '75201'
       order by bz.zip limit 1
       on conflict (change_id, brand_id, zip) do update
         set is_open = excluded.is_open, part = excluded.part`,
      [id, status === 'waiting'],
    );
  }

  const exampleDelivery = () =>
    COMMANDS_WITH_KEY.find(({ usage }) => usage === 'webhooks resend')!
      .examples[0]!.split(' ')
      .slice(2);

  /** The webhook and the delivery that the examples name */
  async function makeWebhook(): Promise<void> {
    const [webhook, delivery] = exampleDelivery();
    await demo.tenant.query(
      `insert into webhook_endpoints (organization_id, id, url, secret, position, created_by)
       values ($1, $2, 'https://example.com/', 'whsec_QUJD', 1000000, '{"kind": "operator", "name": "Op"}')`,
      [webhook],
    );
    await demo.tenant.query(
      `insert into webhook_deliveries (organization_id, id, endpoint_id, event_id, position, lane,
         attempts, status, ms, attempted_at, done_at, result)
       select $1, $2, $3, id, position, brand_id, 1, 204, 84, now(), now(), 'delivered'
       from events where organization_id = $1 and brand_id is not null limit 1`,
      [delivery, webhook],
    );
  }

  it.each(casesOf(COMMANDS_WITH_KEY))('works with --json: $usage', async ({ usage, examples }) => {
    const ask = await withKey();
    await makePlans(usage);
    const line = redirectToFolder(examples[0]!);
    const { stdout, stderr } = await ask(line.includes('--json') ? line : `${line} --json`);
    expect(stderr).toMatch(/^(\{"error":"Nothing was changed\. .*"exitCode":8\}\n)?$/);
    // Without a preview, a refusal is only an error.
    if (stderr !== '' && stdout === '') return;
    expect([line, typeof JSON.parse(stdout)]).toEqual([line, 'object']);
  });

  it.each(casesOf(COMMANDS_WITH_KEY))(
    'has examples that work in 80 columns: $usage',
    async ({ usage, examples }) => {
      const ask = await withKey();
      await makePlans(usage);
      for (const example of examples) {
        const line = redirectToFolder(example.replace(/ [|>].*/, ''));
        const { code, stdout, stderr } = await ask(line);
        const changes =
          usage.includes('--') ||
          /^((un)?share|apply|remove|plans (apply|unshare|measure-delete)|changes (make|transfer|withdraw|undo)|\w+ delete) /.test(
            line,
          );
        const expected = changes && !line.includes('--confirm') ? 8 : 0;
        expect({ line, code, stderr }).toMatchObject({ line, code: expected });
        if (/--(json|csv)|-o /.test(line)) continue;
        const wide = stdout
          .split('\n')
          .filter((text) => stringWidth(text) > 80 || /\s$/.test(text))
          // URLs and code work only in one piece.
          .filter((text) => !/^(https?:\S+$| *<)/.test(text));
        expect([line, wide]).toEqual([line, []]);
        expect(stdout).not.toMatch(/undefined|NaN|null|\[object/);
      }
    },
  );
});

describe('a file', () => {
  const write = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  it('with ZIP codes may be a list, a table, a workbook, or features, in the encodings of spreadsheets', async () => {
    const ask = await withKey();
    const table = '"Exported from CRM"\r\n\r\nName\tZIP\r\nAnn\t76102\r\nBob\t76107\r\n';
    for (const [name, content] of [
      ['lines.txt', '76102\n76107\n'],
      ['sentence.txt', 'ZIP codes: 76102 (downtown), and 76107.'],
      ['table.csv', table],
      ['unicode.txt', Buffer.from(`\u{FEFF}${table}`, 'utf16le')],
      ['book.xlsx', await workbook(['Name', 'ZIP'], ['Ann', '76102'], ['Bob', '76107'])],
      ['areas.geojson', ['76102', '76107'].map((zip) => feature({ zip })).join('\n')],
    ] as const) {
      write(name, content);
      const { stdout } = await ask(`apply ${BRAND} @${name} --json`);
      expect([name, JSON.parse(stdout).zips ?? stdout]).toEqual([name, expect.anything()]);
      expect([name, stdout]).toEqual([name, expect.stringMatching(/76102[^]*76107/)]);
    }
  });

  it('with unclear entries is refused before anything is sent', async () => {
    const ask = await withKey();
    write('unclear.csv', 'zip\n76102\n752*\nDallas\n');
    expect(await ask(`apply ${BRAND} @unclear.csv`)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(
        '2 entries aren’t clearly a ZIP code. Line 3, “752*”: Starts with 752.',
      ),
    });
    for (const [name, content, problem] of [
      [
        'book.xlsx',
        await workbook(['zip'], ['76102'], ['752*']),
        'Row 3, “752*”: Starts with 752.',
      ],
      ['area.geojson', feature({}), 'feature 1 doesn’t name its ZIP code. Give each feature'],
      ['old.xls', Buffer.from('d0cf11e0a1b11ae131', 'hex'), 'Export it as an Excel workbook'],
    ] as const) {
      write(name, content);
      expect(await ask(`apply ${BRAND} @${name}`)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(problem),
      });
    }
  });

  it('with a measure may be in UTF-16, and have several columns of ZIP codes', async () => {
    await post('/agent/plans', demo.key, { name: 'Measured', zips: ['75201', '75204'] });
    const ask = await withKey();
    const text = 'sep=;\r\nship zip;bill zip;Leads\r\n75201;75204;10\r\n75204;75204;20\r\n';
    const file = write('leads.txt', Buffer.from(`\u{FEFF}${text}`, 'utf16le'));
    const upload = async (more: string) => {
      const { stdout, stderr } = await ask(
        `plans measure Measured ${file} --replace --json ${more}`,
      );
      expect(stderr).toBe('');
      return JSON.parse(stdout);
    };
    expect(await upload('')).toMatchObject({
      total: 30,
      zipCount: 2,
      summary: expect.stringContaining('The table also has ZIP codes in “bill zip”.'),
    });
    // Both rows are of the same ZIP code.
    expect(await upload('--zip-column "Bill ZIP"')).toMatchObject({ total: 30, zipCount: 1 });
    write('leads.txt', 'Ann,10001,75201,3.5\nBob,10002,75204,4.5\n');
    const { code, stderr } = await ask(`plans measure Measured ${file} --name A`);
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining('The table also has ZIP codes in column 3'),
    ]);
    expect(await upload('--name A --column 4 --zip-column 3')).toMatchObject({ total: 8 });
  });
});

describe('a key', () => {
  it('for some brands has access to these only', async () => {
    const { id } = await findBrand(demo.tenant, 'all', 'desert-air-hvac');
    const ask = await withKey({ brands: [id] });
    expect((await ask('capabilities')).stdout).toContain('no access to other brands');
    for (const command of [`brand ${BRAND}`, `remove ${BRAND} 75201`]) {
      expect(await ask(command)).toMatchObject({ code: 3, stdout: '' });
    }
  });

  it('that does not exist is rejected and not printed', async () => {
    const key = `svc_live_${'x'.repeat(40)}`;
    const env = { TERRITORY_API_KEY: key };
    for (const line of ['brands', 'capabilities', 'plan dallas-tx --vertical hvac']) {
      const { code, stdout, stderr } = await territory({ url: demo.api }, line, { env });
      expect([code, stdout]).toEqual([5, '']);
      expect(stderr).toMatch(/^territory: The API key is invalid/);
      expect(stderr).not.toContain(key);
    }
  });

  it('is never printed', () => {
    expect(keyLeaks.length).toBeGreaterThan(runs(50));
    expect(keyLeaks.filter(Boolean)).toEqual([]);
  });

  it('of an organization without units or a subscription fails with the reason', async () => {
    const ask = await withKey();
    await changeSubscription(demo.tenant, { monthlyUnits: 1 });
    expect(await ask('brands')).toMatchObject({ code: 5, stderr: expect.stringMatching(/units/) });
    expect(await ask('plan dallas-tx --vertical hvac')).toMatchObject({ code: 5, stdout: '' });
    await changeSubscription(demo.tenant, { status: 'cancelled' });
    expect(await ask('brands')).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^territory: The subscription was canceled/),
    });
    expect((await ask('capabilities')).stdout).toContain('cancelled (calls are refused)');
  });
});
