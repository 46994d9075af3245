import { describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { render } from '../../../src/render/render.ts';
import { newClient } from '../../support/clients.ts';
import { serveKeyed } from '../../support/keyed-app.ts';
import { testDatabase } from '../../support/database.ts';
import { Visitor } from '../../support/visitor.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db, { renderer: mapsWith({ render }) });
const site = app.api.replace(/\/api$/, '');
const PAGE = '/picture-builder';

/** The value of the field to copy */
const urlIn = (html: string) =>
  /id="picture-url"\s+class="code"\s+value="([^"]+)"/.exec(html)?.[1]!.replaceAll('&amp;', '&');

describe('the picture builder', () => {
  it('builds the URL of a public picture from its fields', async () => {
    const fields = new URLSearchParams({
      what: 'metro:austin-tx',
      vertical: 'hvac',
      style: 'dark',
      format: 'webp',
      width: '300',
      height: '200',
      ratio: '',
      view: '-97.74,30.27,9',
      title: 'A & B',
      labels: 'false',
      classes: 'quantiles',
      markers: '-97.7,30.3',
    });
    const { status, html } = await new Visitor(site).get(`${PAGE}?${fields}`);
    expect(status).toBe(200);
    const url = urlIn(html)!;
    expect(url).toBe(
      `${app.api}/static/dark/metro:austin-tx:hvac/-97.74,30.27,9/300x200.webp` +
        '?title=A+%26+B&labels=false&classes=quantiles&markers=-97.7%2C30.3',
    );
    const picture = await fetch(url, { headers: newClient() });
    expect(picture.headers.get('content-type')).toBe('image/webp');
    expect(html).toContain('&lt;img src=&quot;http');
  });

  it('shows the problem of a field', async () => {
    const { html } = await new Visitor(site).get(`${PAGE}?width=9`);
    expect(html).toMatch(/role="alert">size: must be \{width\}x\{height\}, each from 64 to 2048/);
  });

  it('asks visitors to sign in for anything else, and signs URLs for members', async () => {
    const fields = { what: 'other', subject: 'zips:75201', vertical: '', days: '7' };
    const path = `${PAGE}?${new URLSearchParams(fields)}`;
    expect((await new Visitor(site).get(path)).html).toContain('/login?next=');
    expect((await new Visitor(site).post(`${PAGE}/signed`, fields)).to).toMatch(/\/login\?next=/);
    const member = await new Visitor(site).signUp('Pictures');
    const unsigned = await member.get(path);
    expect(unsigned.html).toContain('Drawing it costs');
    expect(unsigned.html).not.toContain('alt="The picture"');
    const signed = await member.post(`${PAGE}/signed`, fields);
    const url = urlIn(signed.html)!;
    expect(url).toMatch(/zips:75201\/auto\/600x400@2x\.png\?signer=.*&expires=\d+&signature=/);
    expect((await fetch(url, { headers: newClient() })).status).toBe(200);
    const end = '/account/signed-urls';
    expect((await member.post(end)).html).toContain('No signed URLs were ended. Check the box');
    expect((await fetch(url, { headers: newClient() })).status).toBe(200);
    expect((await member.post(end, { confirm: 'end' })).to).toBe(`${end}?done=signed-urls-ended`);
    expect((await fetch(url, { headers: newClient() })).status).toBe(403);
    const { html: activity } = await member.get('/account/activity');
    expect(activity).toContain('Ended all signed URLs of the organization.');
    const elsewhere = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await member.post(`${PAGE}/signed`, fields, elsewhere)).status).toBe(403);
  });
});
