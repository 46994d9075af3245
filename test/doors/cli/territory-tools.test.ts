import { writeFileSync, mkdtempSync, rmSync, readFileSync, existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rawMember } from '../../../src/doors/cli/territory/json.ts';
import { fakeService, scripted, territory, type FakeService, type Scripted } from './territory.ts';

const folder = mkdtempSync(join(tmpdir(), 'territory-tools-'));
afterAll(() => rmSync(folder, { recursive: true }));

const KEY = 'svc_live_0123456789abcdefghijklmnopqrstuvwxyzABCD';
const ask = (service: { url: string }, words: string | string[], options = {}) =>
  territory(service, words, { env: { TERRITORY_API_KEY: KEY }, ...options });

const result = (structuredContent: object, more: object = {}): Scripted => ({
  body: {
    result: { content: [{ type: 'text', text: 'Text.' }], structuredContent, ...more },
    jsonrpc: '2.0',
    id: 1,
  },
});
const refusal = (code: string, error = 'This is why.', more = {}) =>
  result({ code, error, ...more }, { isError: true });

/** Answers in turn and keeps the request bodies. */
async function recordingService(...answers: Scripted[]): Promise<FakeService & { sent: any[] }> {
  const sent: any[] = [];
  const answer = scripted(...answers);
  const service = await fakeService(async (request, response) => {
    const text = await bodyOf(request);
    sent.push(text === '' ? undefined : JSON.parse(text));
    answer(request, response);
  });
  return { ...service, sent };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

const inputs = ({ sent }: { sent: any[] }) => sent.map(({ params }) => params.arguments);

const brands = (slugs: string[], nextCursor: string | null) =>
  result({
    brands: slugs.map((slug) => ({ id: slug, slug, name: slug, live: 1, pending: 0 })),
    nextCursor,
  });

describe('a call of a tool', () => {
  it('is a single request whose headers repeat the method and the tool', async () => {
    const service = await recordingService(brands(['a'], null));
    expect(await ask(service, 'brands --limit 5')).toMatchObject({ code: 0, stderr: '' });
    expect(service.requests).toHaveLength(1);
    const [{ method, url, headers }] = service.requests as [IncomingMessage];
    expect([method, url]).toEqual(['POST', '/mcp']);
    expect(headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'service_list_brands',
    });
    expect(service.sent[0]).toMatchObject({
      jsonrpc: '2.0',
      method: 'tools/call',
      params: {
        name: 'service_list_brands',
        arguments: { limit: 5 },
        _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
      },
    });
  });

  it.each([
    ['not_found', 3],
    ['bad_request', 4],
    ['subscription_required', 5],
    ['usage_quota_exceeded', 5],
    ['zip_limit_exceeded', 5],
    ['write_not_entitled', 5],
    ['brand_out_of_scope', 5],
    ['role_required', 5],
    ['conflict', 1],
    ['never_heard_of', 1],
    ['unavailable', 7],
    ['internal_error', 7],
  ])('that fails with %s ends with exit code %i and the service’s message', async (code, exit) => {
    const service = await recordingService(refusal(code));
    const json = `${JSON.stringify({ error: 'This is why.', code, exitCode: exit })}\n`;
    for (const [words, stderr] of [
      ['brands', 'territory: This is why.\n'],
      ['brands --json', json],
    ] as const) {
      expect(await ask(service, words)).toMatchObject({ code: exit, stdout: '', stderr });
    }
  });

  it('ends with exit code 4 after a protocol error', async () => {
    const error = { code: -32602, message: 'Unknown tool: service_x.' };
    for (const status of [200, 400]) {
      const service = await recordingService({ status, body: { jsonrpc: '2.0', id: 1, error } });
      expect(await ask(service, 'call x')).toMatchObject({
        code: 4,
        stdout: '',
        stderr: 'territory: Unknown tool: service_x.\n',
      });
    }
  });

  it('accepts additional fields of a newer service, and refuses wrong ones by their path', async () => {
    const answer = (live: unknown) => {
      const brand = { id: 'a', slug: 'a', name: 'Brand A', live, pending: 0, moons: 2 };
      return recordingService(result({ brands: [brand], nextCursor: null, moonPhase: 'full' }));
    };
    const accepted = await ask(await answer(7), 'brands');
    expect([accepted.code, accepted.stdout]).toEqual([0, expect.stringMatching(/Brand A +a +7/)]);
    expect(await ask(await answer('seven'), 'brands')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/the response: brands\.0\.live must be a number\. Check/),
    });
  });

  it('is repeated when the service asks to wait', async () => {
    const busy = { status: 429, headers: { 'Retry-After': '1' }, body: { error: 'Slower.' } };
    const service = await recordingService(busy, brands(['a'], null));
    const { code, stderr } = await ask(service, 'brands');
    expect([code, service.sent.length]).toEqual([0, 2]);
    expect(stderr).toMatch(/^territory: Slower\.\nterritory: Waiting 1 s before retry 1/);
  });

  it('reports a response of another server', async () => {
    for (const body of ['{}', 'null', '{"result":{}}', '{"result":{"structuredContent":[]}}']) {
      expect(await ask(await recordingService({ body }), 'brands')).toMatchObject({
        code: 1,
        stdout: '',
        stderr:
          'territory: The response is not from a tool. Check that TERRITORY_URL is the address of the service.\n',
      });
    }
  });

  it.each(['brands', 'capabilities', 'plan dallas-tx --vertical hvac', 'zip 75201 --full'])(
    'is not made without a key: territory %s',
    async (words) => {
      const service = await recordingService(brands(['a'], null));
      const { code, stdout, stderr } = await territory(service, words);
      expect([code, stdout, service.sent]).toEqual([5, '', []]);
      expect(stderr).toMatch(
        /territory login, or set TERRITORY_API_KEY.*account settings.*key mint --org/,
      );
    },
  );

  it('prints no control characters', async () => {
    const service = await recordingService(
      result({}, { content: [{ type: 'text', text: 'One\n\u001b[2JTwo\u0007' }] }),
    );
    expect((await ask(service, 'call x')).stdout).toBe('One\n [2JTwo \n');
  });
});

describe('--json of a tool', () => {
  it('prints the structured content byte for byte', async () => {
    const raw = '{ "brands":[],\t"n": [1.0, 1e2, 12345678901234567890], "x":"\\u00fc \\"}," }';
    const body = `{"jsonrpc":"2.0","result":{"content":[{"text":"{\\"structuredContent\\":1}","type":"text"}],\n"structuredContent" : ${raw} ,"isError":false},"id":1}`;
    expect((await ask(await recordingService({ body }), 'brands --json')).stdout).toBe(raw);
  });

  it.each([
    ['{"a":{"b":1}}', '1'],
    ['{"b":0,"x":{"a":{"b":2}},"a":{"c":{"b":3},"b":[{"b":4},","]}}', '[{"b":4},","]'],
    ['{"a":[{"b":1}],"b":2}', undefined],
    ['{"a":1,"c":{"b":2}}', undefined],
    ['{"a":{},"c":{"b":2}}', undefined],
    ['{"\\u0061":{"b":"}"}}', '"}"'],
    ['[1]', undefined],
    ['7', undefined],
  ])('finds the member a.b in %s', (json, expected) => {
    expect(rawMember(json, ['a', 'b'])).toBe(expected);
  });
});

describe('--all', () => {
  const pages = [brands(['a', 'b'], '1'), brands(['c'], '2'), brands(['d'], null)];

  it('requests every page at the maximum size', async () => {
    const service = await recordingService(...pages);
    const { code, stdout } = await ask(service, 'brands --all --json');
    expect(code).toBe(0);
    const answer = JSON.parse(stdout) as { brands: { slug: string }[]; nextCursor: null };
    expect(answer.brands.map(({ slug }) => slug)).toEqual(['a', 'b', 'c', 'd']);
    expect(answer.nextCursor).toBeNull();
    expect(inputs(service)).toEqual([
      { limit: 200 },
      { limit: 200, cursor: '1' },
      { limit: 200, cursor: '2' },
    ]);
  });

  it('prints nothing when a later page fails', async () => {
    const service = await recordingService(pages[0]!, refusal('usage_quota_exceeded', 'Used up.'));
    expect(await ask(service, 'brands --all')).toMatchObject({
      code: 5,
      stdout: '',
      stderr: 'territory: Used up.\n',
    });
  });

  it('fails when cursors repeat and when the response has no pages', async () => {
    const round = await ask(await recordingService(brands(['a'], '1')), 'brands --all');
    expect(round).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('repeats a page cursor'),
    });
    const none = await ask(await recordingService(result({ brands: 3 })), 'brands --all');
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('has no page') });
  });

  it('is suggested under a page that is not the last', async () => {
    const { stdout } = await ask(await recordingService(brands(['a'], 'abc')), 'brands');
    expect(stdout).toMatch(/\n {2}More rows: --all, or\n {2}--cursor abc\n$/);
    const whole = await ask(await recordingService(brands(['a'], null)), 'brands');
    expect(whole.stdout).not.toContain('More rows');
  });
});

describe('a change', () => {
  const preview = { brand: 'b', queued: ['75201'] };
  const unconfirmed = (text: string) =>
    result({ status: 'preview', preview }, { content: [{ type: 'text', text }] });
  const said = 'Preview: nothing was changed.\n\nTo be queued for review (1): 75201.';

  it('without --confirm prints a preview and ends with exit code 8', async () => {
    const again = 'To make the change, call service_apply_territory again with confirm: true.';
    const service = await recordingService(unconfirmed(`${said}\n\n${again}`));
    expect(await ask(service, 'apply b 75201,00000')).toMatchObject({
      code: 8,
      stdout: `${said}\n`,
      stderr: 'territory: Nothing was changed. Add --confirm to make the change.\n',
    });
    expect(inputs(service)).toEqual([{ brand: 'b', zips: ['75201', '00000'] }]);

    const file = join(folder, 'preview.json');
    const json = await ask(service, ['apply', 'b', '75201', '--json', '-o', file]);
    expect(json.code).toBe(8);
    expect(JSON.parse(json.stdout)).toMatchObject({ status: 'preview', preview });
    expect(existsSync(file)).toBe(false);
  });

  it('names commands and options instead of tools and fields', async () => {
    const text =
      'This call would fail with confirm: true. Upgrade.\n' +
      'Next: see service_list_brands. Check with service_list_pending_review and batchId a-1.\n' +
      'To revoke it: service_revoke_share_link with xyz.\nOther: service_new.';
    const { stdout } = await ask(await recordingService(unconfirmed(text)), 'apply b 75201');
    expect(stdout).toBe(
      'This call would fail with --confirm. Upgrade.\n' +
        'Next: see territory brands. Check:\n  territory pending --batch a-1\n' +
        'To revoke it:\n  territory unshare xyz\nOther: service_new.\n',
    );
  });

  it.each([
    ['apply b 75201', { brand: 'b', zips: ['75201'] }],
    ['remove b 75201 75202', { brand: 'b', zips: ['75201', '75202'] }],
    ['share b --days 7', { brand: 'b', expiresInDays: 7 }],
    ['unshare abc', { link: 'abc' }],
    ['call apply_territory --args {"brand":"b"}', { brand: 'b' }],
  ])('is confirmed only by --confirm: territory %s', async (words, input) => {
    const service = await recordingService(refusal('conflict'));
    await ask(service, words);
    await ask(service, `${words} --confirm`);
    expect(inputs(service)).toEqual([input, { ...input, confirm: true }]);
  });

  it('passes an idempotency key on', async () => {
    const service = await recordingService(refusal('conflict'));
    await ask(service, 'remove b 75201 --idempotency-key k1 --confirm');
    expect(inputs(service)).toMatchObject([{ idempotencyKey: 'k1', confirm: true }]);
  });
});

describe('the input of a command', () => {
  const file = join(folder, 'zips.txt');
  writeFileSync(file, '75201\n75202, 75203\n\n');

  it('can come from a file or standard input', async () => {
    const service = await recordingService(refusal('conflict'));
    await ask(service, ['apply', 'b', `@${file}`, '75204']);
    await ask(service, 'remove b -', { input: '75201\n75202\n' });
    await ask(service, 'call x --args -', { input: '{"zip":"75201"}' });
    expect(inputs(service)).toEqual([
      { brand: 'b', zips: ['75201', '75202', '75203', '75204'] },
      { brand: 'b', zips: ['75201', '75202'] },
      { zip: '75201' },
    ]);
  });

  it.each([
    ['plan dallas-tx --vertical hvac --size 5', { metro: 'dallas-tx', size: 5 }],
    ['plan 75201 75202,75203 --vertical hvac', { zips: ['75201', '75202', '75203'] }],
    [
      'plan 75201 --vertical hvac --exclude 75202,75203 --exclude 75204 --contiguous --exclude-held',
      {
        constraints: {
          excludeZips: ['75202', '75203', '75204'],
          contiguous: true,
          excludeHeld: true,
        },
      },
    ],
  ])('is sent to the plan operation: territory %s', async (words, body) => {
    const service = await recordingService({ status: 404, body: { error: 'No.' } });
    expect(await ask(service, words)).toMatchObject({ code: 3 });
    expect(service.sent).toMatchObject([{ vertical: 'hvac', ...body }]);
    expect(service.requests[0]).toMatchObject({ method: 'POST', url: '/agent/territory-plan' });
  });

  it.each([
    [
      'target hvac --state TX --filter a=1.. --filter b=..2.5 --filter c=-1..3',
      { filters: { a: { min: 1 }, b: { max: 2.5 }, c: { min: -1, max: 3 } } },
    ],
    ['discover hvac --near 75201 --radius 5', { nearZip: '75201', radiusMiles: 5 }],
    ['discover hvac --near 75201 --minutes 20', { nearZip: '75201', minutes: 20 }],
    ['discover hvac --near 33.45,-112.1', { nearPoint: { lat: 33.45, lng: -112.1 } }],
    ['pending --batch x --status rejected', { batchId: 'x', status: 'rejected' }],
    ['activity --organization', { scope: 'organization' }],
    [
      'brand b --state TX --review approved --all',
      { state: 'TX', reviewStatus: 'approved', limit: 200 },
    ],
    [
      'render b --size 600x400 --no-legend -o x.png',
      { width: 600, height: 400, legend: false, fit: false },
    ],
    [
      'render b --basemap plain --color rate:jobs -o x.png',
      { basemap: 'plain', color: 'rate:jobs' },
    ],
  ])('is sent to the tool: territory %s', async (words, input) => {
    const service = await recordingService(refusal('conflict'));
    await ask(service, words);
    expect(inputs(service)).toMatchObject([input]);
  });

  it.each([
    [`apply b @${folder}/none`, /Could not read .*none: the file does not exist\.\n$/],
    [
      'plan dallas-tx 75201 --vertical hvac',
      /A market is one metro, such as dallas-tx, or a list of ZIP codes/,
    ],
    ['call x --args [1]', /--args is not a JSON object/],
    ['call x --args {', /--args is not a JSON object/],
    ['call x/y', /"service_x\/y" is not a tool name/],
    ['target hvac --filter x', /Expected FIELD=MIN\.\.MAX/],
    ['target hvac --filter x=..', /Expected FIELD=MIN\.\.MAX/],
    ['target hvac --filter x=1.2.3..', /Expected FIELD=MIN\.\.MAX/],
    ['render b --size big -o x.png', /Expected width and height/],
    ['render b', /Name a file for the picture/, true],
    ['render b --json', /Name a file for the picture/],
    ['brands --limit ten', /Expected a number/],
    ['brands --all --cursor x', /cannot be used with/],
    ['apply b', /missing required argument 'zips'/],
  ])(
    'is rejected without a call if invalid: territory %s',
    async (words, why, terminal = false) => {
      const service = await recordingService(refusal('conflict'));
      const { code, stdout, stderr } = await ask(service, words, { terminal });
      expect([code, stdout, service.sent]).toEqual([2, '', []]);
      expect(stderr).toMatch(why);
    },
  );
});

describe('a picture from a tool', () => {
  const about = { pixelWidth: 2, zipsDrawn: 3 };
  const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]);
  const content = [
    { type: 'text', text: 'Drawn.' },
    { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' },
  ];
  const drawn = () => recordingService(result(about, { content }));

  it('is written to a file or a pipe unchanged, with a description', async () => {
    const file = join(folder, 'map.png');
    const { stdout } = await ask(await drawn(), ['render', 'b', '-o', file]);
    expect(stdout).toBe(`${file}: 6 bytes, image/png\nDrawn.\n`);
    expect(readFileSync(file).equals(PNG)).toBe(true);
    expect((await ask(await drawn(), 'render b')).bytes.equals(PNG)).toBe(true);
    const json = await ask(await drawn(), ['render', 'b', '-o', file, '--json']);
    expect(json.stdout).toBe(JSON.stringify(about));
  });

  it('comes from any call, without replacing its text', async () => {
    const file = join(folder, 'called.png');
    expect(await ask(await drawn(), ['call', 'x', '-o', file])).toMatchObject({
      code: 0,
      stdout: `${file}: 6 bytes, image/png\nDrawn.\n`,
    });
    expect(readFileSync(file).equals(PNG)).toBe(true);
    expect((await ask(await drawn(), 'call x')).stdout).toBe('Drawn.\n');
    expect((await ask(await drawn(), 'call x --json')).stdout).toBe(JSON.stringify(about));
  });
});
