/**
 * Typical tasks, done as a model does them: each call uses only what earlier answers said. ZIP codes
 * and links are read from the texts, as a model reads them.
 */
import { describe, expect, it } from 'vitest';
import { approveReviews } from '../../../src/territories/brands/review.ts';
import { testDatabase } from '../../support/database.ts';
import { modernClient, serveDemo, textOf } from './service.ts';

const { db } = await testDatabase('sample');
const { url, key, tenant } = await serveDemo(db);
const client = await modernClient(url, key);

/** Returns the text of a call, which must succeed. */
async function ask(tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const reply = await client.call(`service_${tool}`, args);
  expect({ isError: reply.isError, text: textOf(reply) }).toMatchObject({ isError: false });
  return textOf(reply);
}

/** Previews a change, then confirms it. */
async function change(tool: string, args: Record<string, unknown>) {
  const asked = await client.call(`service_${tool}`, args);
  expect(asked.isError).toBe(false);
  expect(asked.structuredContent).toMatchObject({ status: 'preview' });
  const preview = textOf(asked);
  expect(preview).toContain('nothing was changed');
  const { confirmWith } = asked.structuredContent!;
  return { preview, done: await ask(tool, { ...args, ...confirmWith }) };
}

/** ZIP codes at the start of list lines */
const zipsIn = (text: string) =>
  Array.from(text.matchAll(/^(?:\d+\.|-) (\d{5})\b/gm), ([, zip]) => zip!);

/** ZIP codes after a label: `Queued … (10): 75201, 75204.` */
const zipsAfter = (label: RegExp, text: string) =>
  (new RegExp(`${label.source}[^:]*: ([^\\n]+)`).exec(text)?.[1] ?? '').match(/\d{5}/g) ?? [];

describe('score a metro and apply the top ten', () => {
  it('finds the brand, ranks, previews, requests, and lists the review queue', async () => {
    expect(await ask('get_capabilities')).toMatch(/lone-star-roofing.*\n.*[\s\S]*dallas-tx/);
    const ranking = await ask('score_territory', {
      vertical: 'roofing',
      metro: 'dallas-tx',
      limit: 10,
    });
    const zips = zipsIn(ranking);
    expect(zips).toHaveLength(10);

    const { preview, done } = await change('apply_territory', {
      brand: 'Lone Star Roofing',
      zips,
      note: 'The ten best of Dallas',
    });
    expect(zipsAfter(/To be queued/, preview).sort()).toEqual([...zips].sort());
    expect(zipsAfter(/Queued/, done).sort()).toEqual([...zips].sort());

    const batchId = /batchId ([0-9a-f-]{36})/.exec(done)![1]!;
    const queue = await ask('list_pending_review', { batchId });
    expect(zipsIn(queue).sort()).toEqual([...zips].sort());
    expect(queue).toContain('The ten best of Dallas');
    expect(await ask('list_brands')).toMatch(/Lone Star Roofing .*: 34 live, 10 pending/);

    // Repeating the request changes nothing.
    expect(
      await ask('apply_territory', { brand: 'lone-star-roofing', zips, confirm: true }),
    ).toMatch(/^Nothing to request\.\nAlready in review \(10\)/);
  });
});

describe('find overlaps and remove them', () => {
  it('lists shared ZIP codes, removes them, and finds the removal in the activity', async () => {
    const brand = 'lone-star-roofing';
    expect(await ask('get_brand_health', { brand })).toMatch(/5 ZIP codes held by several brands/);
    const shared = zipsIn(await ask('get_brand_territory', { brand, flag: 'shared' }));
    expect(shared).toHaveLength(5);

    const { preview, done } = await change('remove_territory', {
      brand,
      zips: shared,
      reason: 'Desert Air keeps them',
    });
    expect(zipsAfter(/To be removed/, preview)).toEqual(shared);
    const removal = /Removal ([0-9a-f-]{36})/.exec(done)![1]!;
    expect(done).toContain('undo');

    expect(await ask('get_brand_territory', { brand, flag: 'shared' })).toMatch(
      /^0 shared ZIP codes/,
    );
    expect(await ask('get_brand_health', { brand })).toContain('No ZIP code is shared');
    expect(await ask('get_activity')).toContain(`removal ${removal}, can be undone`);
  });
});

describe('expand a brand by radius', () => {
  it('finds ZIP codes nearby, looks one up, and requests the adjacent ones', async () => {
    const brand = 'desert-air-hvac';
    const found = await ask('discover_zips', { brand, vertical: 'hvac', radiusMiles: 8 });
    const bordering = Array.from(
      found.matchAll(/^- (\d{5}) .*borders the territory/gm),
      ([, zip]) => zip!,
    );
    expect(bordering.length).toBeGreaterThan(2);
    expect(await ask('get_zip_profile', { zip: bordering[0]! })).toMatch(/HVAC \d+/);

    const { done } = await change('apply_territory', { brand, zips: bordering.slice(0, 3) });
    expect(zipsAfter(/Queued/, done).sort()).toEqual(bordering.slice(0, 3).sort());
    const again = await ask('discover_zips', { brand, vertical: 'hvac', radiusMiles: 8 });
    for (const zip of bordering.slice(0, 3)) expect(zipsIn(again)).not.toContain(zip);
  });
});

describe('share and revoke a map', () => {
  it('creates a link that works, lists it, and revokes it', async () => {
    const { preview, done } = await change('share_territory_map', {
      brand: 'desert-air-hvac',
      kind: 'zip_snapshot',
      title: 'For the franchise meeting',
      expiresInDays: 7,
    });
    expect(preview).toContain('7 days');
    const link = /^GeoJSON: (\S+)$/m.exec(done)![1]!;
    expect((await fetch(link)).status).toBe(200);

    const code = /^- (\w+) .*"For the franchise meeting"/m.exec(await ask('list_share_links'))![1]!;
    expect(link).toContain(code);
    const revoked = await change('revoke_share_link', { link: code });
    expect(revoked.preview).toContain('permanently');
    expect(revoked.done).toContain('Revoked');
    expect((await fetch(link)).status).toBe(404);
    expect(await ask('revoke_share_link', { link: code, confirm: true })).toMatch(/already|closed/);
  });
});

describe('render a brand’s map', () => {
  it('returns a picture with a description and its source', async () => {
    const reply = await client.call('service_render_territory_map', {
      brand: 'desert-air-hvac',
      width: 640,
      height: 480,
      style: 'dark',
      title: 'Desert Air in autumn',
    });
    const picture = reply.content.find(({ type }) => type === 'image')!;
    expect(picture.mimeType).toBe('image/png');
    const bytes = Buffer.from(picture.data!, 'base64');
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([640, 480]);
    expect(textOf(reply)).toMatch(/Desert Air HVAC: \d+ ZIP codes drawn on 640 x 480 pixels/);
    expect(textOf(reply)).toContain('Source: Sample data (synthetic; not ACS).');
  });
});

it('ZIP codes that a person approves are then live for the model', async () => {
  const actor = { kind: 'operator', id: null, name: 'Test' } as const;
  const reviewer = { actor, role: 'owner', brandScope: 'all' } as const;
  const queue = await client.call('service_list_pending_review', { brand: 'lone-star-roofing' });
  const { batchId } = queue.structuredContent!['reviews'][0];
  await tenant.transaction((tx) => approveReviews(tx, reviewer, { batchId }));
  expect(await ask('list_brands')).toMatch(/Lone Star Roofing .*: 39 live, 0 pending/);
});
