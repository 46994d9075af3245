/**
 * Last quarter's exhibit, made again: territories have changed, other boundaries were imported, and the service was
 * restarted in between.
 */
import { expect, it } from 'vitest';
import { addDays } from '../../src/base/text/days.ts';
import { recordedDays } from '../../src/people/account/days/as-of.ts';
import { mintKey } from '../../src/people/account/keys.ts';
import { changeSubscription } from '../../src/people/account/subscription.ts';
import { createBrand } from '../../src/territories/brands/brands.ts';
import { collection, row, square, writeFile, zipFeature } from '../data/ingest/files.ts';
import { newSignedInOwner } from '../people/account/organizations.ts';
import { testDatabase } from '../support/database.ts';
import { bearer } from '../support/keyed-app.ts';
import { readPdf } from '../support/pdf-text.ts';
import { runAdmin, startService } from '../support/processes.ts';
import { Visitor } from '../support/visitor.ts';
import { foundedAt, takeAt } from '../territories/record/past.ts';

const { db, env } = await testDatabase('empty', { own: true });
const own = { ...env, SAMPLE_DATA: 'never', RENDER_ENGINE: 'canvas' };
const importZcta = async (file: string, vintage: string) =>
  expect(await runAdmin(['import', 'zcta', file, '--vintage', vintage], own)).toMatchObject({
    code: 0,
  });

it('Last quarter’s exhibit, files, and pictures have the same bytes when they are made again', async () => {
  await importZcta(writeFile('old.geojson', collection(row(5))), 'Census 2020 ZCTAs');
  const { tenant, session } = await newSignedInOwner(db);
  await changeSubscription(tenant, { status: 'active' });
  const { key } = await mintKey(tenant, { name: 'Lawyer', brands: 'all', mayWrite: true });
  const { today } = await recordedDays(tenant);
  const asOf = addDays(today, -90);
  await foundedAt(db, tenant, `${addDays(today, -200)}T12:00:00Z`);
  const star = await createBrand(tenant, { name: 'Star' });
  await takeAt(tenant, `${addDays(today, -150)}T12:00:00Z`, star, ['75201', '75203', '75204']);

  let service = await startService(own);
  const post = async (path: string, body: object) => {
    const answer = await fetch(service.url + path, {
      method: 'POST',
      headers: { ...bearer(key), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, answer.ok ? '' : bytes.toString()]).toEqual([200, '']);
    return bytes;
  };
  const day = { brand: 'star', asOf };
  const exhibit = (options: object) => post('/agent/territory-exhibit', options);
  const made = async () => {
    const owner = new Visitor(service.url);
    owner.cookie = `session=${session}`;
    const page = await owner.get(`/account/brands/star/picture/light.png?asOf=${asOf}`);
    expect(page.headers.get('Content-Type')).toBe('image/png');
    return {
      exhibit: await exhibit(day),
      fixed: await exhibit({ ...day, fixedBoundaries: true }),
      geojson: await post('/agent/territory-export', { ...day, format: 'geojson' }),
      shapefile: await post('/agent/territory-export', { ...day, format: 'shp' }),
      kml: await post('/agent/territory-export', { ...day, format: 'kml' }),
      picture: await post('/mcp', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'service_render_territory_map', arguments: day },
      }),
      page: Buffer.from(page.html),
    };
  };
  const agreed = await made();
  const texts = (bytes: Buffer) => readPdf(bytes).pages.flat().join(' ');
  expect(texts(agreed.exhibit)).toContain('Boundaries: Census 2020 ZCTAs');
  expect(texts(agreed.fixed)).toContain(
    'The area of the territory is that of its ZIP codes as of Census 2020 ZCTAs, whatever later changes.',
  );
  const reference = (bytes: Buffer) => /(?:[0-9A-F]{4}-){3}[0-9A-F]{4}/.exec(texts(bytes))![0];
  expect(reference(agreed.fixed)).not.toBe(reference(agreed.exhibit));

  await post('/agent/changes', { changes: [{ brand: 'star', remove: ['75203'] }], confirm: true });
  // 75202, which maps show around the territory, and 75204 lose their north, 75203 ends, and 75207 is new.
  const cut = (column: number) =>
    square(column).map(([lng, lat]) => [lng!, lat === 32.8 ? 32.76 : lat!]);
  const next = [
    zipFeature('75201', square(0)),
    zipFeature('75202', cut(1)),
    zipFeature('75207', square(2)),
    zipFeature('75204', cut(3)),
    zipFeature('75205', square(4)),
  ];
  await importZcta(writeFile('new.geojson', collection(next)), 'Census 2030 ZCTAs');
  await service.stop();
  service = await startService(own);

  const again = await made();
  const same = Object.keys(agreed).map((name) => {
    const kind = name as keyof typeof agreed;
    return [name, again[kind].equals(agreed[kind])];
  });
  expect(same).toEqual(Object.keys(agreed).map((name) => [name, true]));
  // Those of today are others, and another import later changes nothing about those of then.
  expect(texts(await exhibit({ brand: 'star' }))).toContain('Boundaries: Census 2030 ZCTAs');
  await importZcta(writeFile('newer.geojson', collection(row(5))), 'Census 2040 ZCTAs');
  expect((await exhibit(day)).equals(agreed.exhibit)).toBe(true);
  await service.stop();
});
