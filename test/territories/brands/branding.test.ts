import { describe, expect, it } from 'vitest';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { listActivity } from '../../../src/territories/brands/activity.ts';
import {
  brandingOf,
  logoByHash,
  logoHash,
  setBranding,
} from '../../../src/territories/brands/branding.ts';
import { sharp } from '../../../src/render/sharp.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('empty');
const [organization] = await db.query<{ id: string }>(
  `insert into organizations (slug, name) values ('looks', 'Looks') returning id`,
);
const tenant = tenantOf(db, organization!.id);
const brand = await createBrand(tenant, { name: 'Star Roofing' });

const OPERATOR = { kind: 'operator', id: null, name: 'territory-admin' } as const;

const svg = (content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300">${content}</svg>`);

describe('the look of a brand', () => {
  it('keeps fields that a change omits, and limits the size of logos', async () => {
    expect(await brandingOf(tenant, brand)).toMatchObject({
      title: null,
      accent: null,
      logo: null,
    });
    await setBranding(tenant, OPERATOR, brand, { title: ' Where we roof ', accent: '#1D6F74' });
    const logo = svg('<rect width="900" height="300" fill="#c00"/>');
    await setBranding(tenant, OPERATOR, brand, { logo });
    const look = await brandingOf(tenant, brand);
    expect(look).toMatchObject({ title: 'Where we roof', subtitle: null, accent: '#1d6f74' });
    expect(await sharp(look.logo!).metadata()).toMatchObject({
      format: 'png',
      width: 360,
      height: 120,
    });
    const cleared = await setBranding(tenant, OPERATOR, brand, {
      title: '',
      accent: '',
      logo: null,
    });
    expect(cleared).toEqual({ title: null, subtitle: null, accent: null, logo: null });
    await setBranding(tenant, OPERATOR, brand, { title: null });
    const { rows } = await listActivity(tenant, 'all');
    expect(rows.map(({ summary }) => summary)).toEqual([
      'Changed the look of Star Roofing: title, accent color, logo.',
      'Changed the look of Star Roofing: logo.',
      'Changed the look of Star Roofing: title, accent color.',
    ]);
    expect(rows[1]!.after).toMatchObject({ title: 'Where we roof', logo: logoHash(look.logo!) });
  });

  it('finds a logo by its hash while a brand has it', async () => {
    const { logo } = await setBranding(tenant, OPERATOR, brand, { logo: svg('<rect/>') });
    const hash = logoHash(logo!);
    expect(await logoByHash(db, hash)).toEqual(logo);
    await setBranding(tenant, OPERATOR, brand, { logo: null });
    await expect(logoByHash(db, hash)).rejects.toThrow('No brand has this logo');
  });

  it('draws a small SVG as sharp as a large one', async () => {
    const small = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="30" height="10"/>');
    const { logo } = await setBranding(tenant, OPERATOR, brand, { logo: small });
    expect(await sharp(logo!).metadata()).toMatchObject({ width: 360, height: 120 });
  });

  it.each([
    [{ accent: 'teal' }, 'Write the accent color like #1d6f74'],
    [{ accent: '#ffd75e' }, 'Choose a darker color'],
    [{ title: 'x'.repeat(81) }, 'Shorten it to 80'],
    [{ logo: Buffer.from('GIF89a') }, 'neither a PNG nor an SVG'],
    [{ logo: Buffer.alloc(600_000, '<svg ') }, 'Use a file of at most 512 kB'],
    [{ logo: svg('<image href="file:///etc/passwd"/>') }, 'links to other files'],
    [{ logo: svg('<style>@import "http://example.com/a.css";</style>') }, 'links to other files'],
    [{ logo: svg('<script>1</script>') }, 'scripts'],
    [{ logo: Buffer.from('<!DOCTYPE svg [<!ENTITY a "a">]><svg>&a;</svg>') }, 'entities'],
    [{ logo: Buffer.from('<svg width="90000" height="90000"/>') }, 'million pixels'],
  ])('refuses %o', async (change, message) => {
    await expect(setBranding(tenant, OPERATOR, brand, change)).rejects.toThrow(message);
  });
});
