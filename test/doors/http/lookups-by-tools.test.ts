/** Lookups as tools send them: the shapes of their requests, and the code of the guide for them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { projectFile } from '../../../src/base/geodata/project-files.ts';
import { signingSecretBox } from '../../../src/people/account/signing-secret.ts';
import { callerOfPerson } from '../../../src/people/account/callers.ts';
import { addMember } from '../../../src/people/account/members.ts';
import { signTarget } from '../../../src/territories/static/signed-url.ts';
import { mintKey, revokeKey } from '../../../src/people/account/keys.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { setContact } from '../../../src/territories/places/contacts.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { agent, DALLAS } from '../../territories/brands/organization.ts';
import { storeZips } from '../../territories/brands/holding.ts';

const { db } = await testDatabase('sample');
const [ours, theirs, free] = DALLAS as [string, string, string];
const box = signingSecretBox([Buffer.alloc(32, 7)]);
const app = await serveKeyed(db, { signingSecrets: box });
const { key, caller } = await newKey(db);
const { tenant } = caller;
const north = await createBrand(tenant, { name: 'North' });
const south = await createBrand(tenant, { name: 'South' });
await storeZips(tenant, north, [ours]);
await storeZips(tenant, south, [theirs]);
await tenant.transaction((tx) => setContact(tx, agent, north, { phone: '214-555-0100' }));

const FORM = 'application/x-www-form-urlencoded';

interface Sent {
  method: 'GET' | 'POST';
  path?: string;
  headers: Record<string, string>;
  body?: string;
}

/** Method, headers, and body as each tool sends them, without its own signatures and trace ids */
const SENT: Record<string, Sent> = {
  'Webhooks by Zapier, GET': { method: 'GET', headers: { 'User-Agent': 'Zapier', Accept: '*/*' } },
  'Webhooks by Zapier, POST of a form': {
    method: 'POST',
    headers: { 'User-Agent': 'Zapier', Accept: '*/*', 'Content-Type': FORM },
    body: `zip=${ours}`,
  },
  'Webhooks by Zapier, POST of JSON': {
    method: 'POST',
    headers: {
      'User-Agent': 'Zapier',
      Accept: '*/*',
      'Content-Type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify({ zip: ours }),
  },
  'HTTP of Make, POST of a form': {
    method: 'POST',
    headers: {
      'User-Agent': 'Make/production',
      Accept: '*/*',
      'Content-Type': `${FORM};charset=UTF-8`,
    },
    body: `zip=${ours}`,
  },
  'HTTP of Make, POST of JSON': {
    method: 'POST',
    headers: { 'User-Agent': 'Make/production', 'Content-Type': 'application/json' },
    body: JSON.stringify({ zip: ours }),
  },
  'custom code of HubSpot with axios': {
    method: 'GET',
    headers: { 'User-Agent': 'axios/1.7.7', Accept: 'application/json, text/plain, */*' },
  },
  'a webhook of HubSpot': {
    method: 'POST',
    headers: {
      'User-Agent':
        'HubSpot Connect 2.0 (http://dev.hubspot.com/) (namespace: webhooks-nio-http-client)',
      'Content-Type': 'application/json',
      'X-HubSpot-Signature-Version': 'v2',
      'X-HubSpot-Signature': 'c2f0c4e1a2',
    },
    body: JSON.stringify({ zip: ours }),
  },
  'External Services of Salesforce': {
    method: 'GET',
    headers: {
      'User-Agent': 'SFDC-Callout/64.0',
      SFDC_STACK_DEPTH: '1',
      Accept: 'application/json',
    },
  },
  'Apps Script of Google': {
    method: 'POST',
    headers: {
      'User-Agent':
        'Mozilla/5.0 (compatible; Google-Apps-Script; beanserver; +https://script.google.com; id: UAEmdDd)',
      'Accept-Encoding': 'gzip, deflate, br',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ questions: [{ zip: ours }] }),
  },
};

/** As `=IMPORTDATA` asks for an address */
const importData = (url: string) =>
  fetch(url, {
    headers: {
      ...newClient(),
      'User-Agent':
        'Mozilla/5.0 (compatible; GoogleDocs; apps-spreadsheets; +http://docs.google.com)',
      'Accept-Encoding': 'gzip, deflate, br',
    },
  });

const sign = async (by = key) => {
  const response = await fetch(`${app.api}/agent/serving/signed-urls`, {
    method: 'POST',
    headers: { ...newClient(), ...bearer(by), 'Content-Type': 'application/json' },
    body: '{"days": 90}',
  });
  const { url } = (await response.json()) as { url: string };
  return url.replace(/^https?:\/\/[^/]+/, new URL(app.api).origin);
};

describe('a lookup', () => {
  it.each(Object.entries(SENT))('answers %s', async (_, { method, headers, body }) => {
    const query = method === 'GET' ? `?zip=${ours}` : '';
    const response = await fetch(`${app.api}/agent/serving${query}`, {
      method,
      headers: { ...newClient(), ...bearer(key), ...headers },
      ...(body !== undefined && { body }),
    });
    expect(response.status).toBe(200);
    const answer = (await response.json()) as { answers?: object[] };
    expect(answer.answers ? answer.answers[0] : answer).toMatchObject({
      status: 'live',
      zip: ours,
      brands: [{ publicName: 'North', phone: '214-555-0100' }],
    });
  });
});

describe('a signed URL of lookups', () => {
  it('answers =IMPORTDATA with a line for each ZIP code', async () => {
    const url = await sign();
    const response = await importData(`${url}&headings=false&zip=${ours},${theirs},${free}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
    const lines = (await response.text()).trim().split('\r\n');
    expect(lines.map((line) => line.split(',').slice(0, 2))).toEqual([
      [ours, 'North'],
      [theirs, 'South'],
      [free, ''],
    ]);
    expect((await importData(`${url}&point=-96.8,32.78`)).status).toBe(200);
  });

  it('shows only what its key may see, and ends with it', async () => {
    const limited = await mintKey(tenant, { name: 'leads', brands: [north.id], mayWrite: true });
    const url = await sign(limited.key);
    const ask = async () => (await importData(`${url}&zip=${ours},${theirs}`)).text();
    const shown = await ask();
    expect(shown).toContain('North');
    expect(shown).not.toContain('South');
    await revokeKey(tenant, limited.id);
    expect((await importData(`${url}&zip=${ours}`)).status).toBe(403);
  });

  it('of a member with some brands shows only these', async () => {
    const { id: personId } = await addMember(tenant, {
      name: 'Lim',
      email: 'lim@example.com',
      role: 'admin',
      brandIds: [north.id],
    });
    const member = await callerOfPerson(db, tenant.organizationId, personId);
    const signed = await signTarget(member!.tenant, box, {
      target: '/agent/serving.csv',
      signer: member!.signsAs,
      expiresAt: new Date(Date.now() + 86_400_000),
    });
    const shown = await (await importData(`${app.api}${signed}&zip=${ours},${theirs}`)).text();
    expect(shown).toContain('North');
    expect(shown).not.toContain('South');
  });

  it('refuses addresses, long lists, and changes, and needs a signature', async () => {
    const url = await sign();
    const many = Array.from({ length: 51 }, () => ours).join();
    for (const [asked, status, error] of [
      [`${url}&address=1500 Marilla`, 400, 'address: a signed URL looks up ZIP codes and points'],
      [`${url}&zip=${many}`, 400, 'zip: a signed URL looks up at most 50 ZIP codes'],
      [`${url.replace(/expires=\d/, 'expires=9')}&zip=${ours}`, 403, 'This signed URL was changed'],
      [`${app.api}/agent/serving.csv?zip=${ours}`, 401, 'Send an API key'],
    ] as const) {
      const response = await importData(asked);
      const body = (await response.json()) as { error: string };
      expect({ asked, status: response.status, error: body.error }).toEqual({
        asked,
        status,
        error: expect.stringContaining(error),
      });
    }
  });
});

describe('the code of the guide', () => {
  const guide = readFileSync(projectFile('src/doors/site/docs/guides/lead-tools.md'), 'utf8');
  const code = (id: string) =>
    new RegExp(`\`\`\`js id=lead-tools-${id}[^\\n]*\\n(.*?)\n\`\`\``, 's')
      .exec(guide)![1]!
      .replaceAll('http://localhost:3000', app.api);

  it('sets properties of a contact in HubSpot', async () => {
    const module: { main?: (event: object, callback: (output: object) => void) => Promise<void> } =
      {};
    const env = { env: { TERRITORY_API_KEY: key } };
    // The host runs it as a CommonJS module.
    // oxlint-disable-next-line no-new-func
    new Function('exports', 'process', code('hubspot'))(module, env);
    const outputs: object[] = [];
    for (const zip of [ours, free]) {
      await module.main!({ inputFields: { zip } }, (output) => outputs.push(output));
    }
    expect(outputs).toEqual([
      { outputFields: { owner: 'North', phone: '214-555-0100', reason: '' } },
      { outputFields: { owner: '', phone: '', reason: expect.stringContaining(free) } },
    ]);
    await expect(module.main!({ inputFields: {} }, () => {})).rejects.toThrow(/zip/);
  });

  it('fills a range of a sheet', async () => {
    const sent: { url: string; options: { payload: string; headers: object } }[] = [];
    const answer = { getContentText: () => answered };
    let answered = '';
    const host = {
      PropertiesService: { getScriptProperties: () => ({ getProperty: () => key }) },
      UrlFetchApp: {
        fetch: (url: string, options: (typeof sent)[0]['options']) => {
          sent.push({ url, options });
          return answer;
        },
      },
    };
    // oxlint-disable-next-line no-new-func
    const servedBy = new Function(
      ...Object.keys(host),
      `${code('apps-script')}; return SERVED_BY;`,
    )(...Object.values(host)) as (zips: unknown) => string[][];
    const zips = [[ours], [free], ['']];
    // Apps Script waits for answers, so the first call only shows what it asks.
    expect(() => servedBy(zips)).toThrow();
    const { url, options } = sent[0]!;
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...newClient(), ...options.headers, 'Content-Type': 'application/json' },
      body: options.payload,
    });
    answered = await response.text();
    expect(servedBy(zips)).toEqual([
      ['North', '214-555-0100', ''],
      ['', '', expect.stringContaining(free)],
      ['', '', expect.stringMatching(/./)],
    ]);
  });
});
