/**
 * The term of a franchisee: set by the command line, told 90 days before its end in the account and by email, and ended
 * by the service, which the map, lookups, and pages then show. Another term is only told.
 */
import { expect, it } from 'vitest';
import { addDays, formatDay, startOfDay } from '../../src/base/text/days.ts';
import { recordedDays } from '../../src/people/account/days/as-of.ts';
import { mintKey } from '../../src/people/account/keys.ts';
import { changeSubscription } from '../../src/people/account/subscription.ts';
import { createBrand } from '../../src/territories/brands/brands.ts';
import { newSignedInOwner } from '../people/account/organizations.ts';
import { testDatabase } from '../support/database.ts';
import { bearer } from '../support/keyed-app.ts';
import { runTerritory, startService } from '../support/processes.ts';
import { startSmtp, waitFor } from '../support/servers/smtp.ts';
import { Visitor } from '../support/visitor.ts';
import { passTime } from '../territories/notify/passing-time.ts';
import { foundedAt, takeAt } from '../territories/record/past.ts';

const { db, env } = await testDatabase('sample', { own: true });
/** One ends, one is only told, and one has no term. */
const [ENDS, TOLD, OPEN] = ['75201', '75204', '75214'] as const;

it('A franchisee’s term ends: people are told in time, and the service ends the holding once', async () => {
  const smtp = await startSmtp();
  const settings = { ...env, SMTP_URL: smtp.url, MAIL_FROM: 'Territory <territory@example.com>' };
  const { tenant, session } = await newSignedInOwner(db);
  await changeSubscription(tenant, { status: 'active' });
  const { key } = await mintKey(tenant, { name: 'Office', brands: 'all', mayWrite: true });
  const { today } = await recordedDays(tenant);
  await foundedAt(db, tenant, `${addDays(today, -400)}T12:00:00Z`);
  const star = await createBrand(tenant, { name: 'Star' });
  await takeAt(tenant, `${addDays(today, -300)}T12:00:00Z`, star, [ENDS, TOLD, OPEN]);

  let service = await startService(settings);
  const page = async (path: string): Promise<string> => {
    const owner = new Visitor(service.url);
    owner.cookie = `session=${session}`;
    return (await owner.get(path)).html;
  };
  const json = async (path: string): Promise<any> =>
    (await fetch(service.url + path, { headers: bearer(key) })).json();
  /** Lets days pass while the service is down. */
  const pass = async (days: number) => {
    await service.stop();
    await tenant.query(
      'update holding_terms set ends_on = ends_on - $2::int where organization_id = $1',
      [days],
    );
    service = await startService(settings);
  };
  const set = async (zip: string, ...options: string[]) =>
    expect(
      await runTerritory(['terms', 'set', 'star', zip, ...options], {
        TERRITORY_URL: service.url,
        TERRITORY_API_KEY: key,
      }),
    ).toMatchObject({ code: 0, stderr: '' });

  const agreedEnd = addDays(today, 91);
  await set(ENDS, '--granted', 'exclusive', '--ends-on', agreedEnd, '--at-end', 'ends');
  await set(TOLD, '--ends-on', agreedEnd, '--note', 'Agreement 12');
  expect(await page('/account/brands/star/terms')).toContain(formatDay(agreedEnd));
  const told = async () => (await page('/account/notifications')).match(/The term of [^<]*\./g);
  expect(await told()).toBeNull();

  await pass(1);
  const ending = `The term of 1 ZIP code of Star ends on ${formatDay(addDays(today, 90))}.`;
  await expect.poll(told).toEqual([ending, ending]);
  const aging = setInterval(() => void passTime(db, '2 minutes').catch(() => {}), 200);
  const [owner] = await db.query<{ email: string }>(
    'select people.email from people join memberships on person_id = people.id where organization_id = $1',
    [tenant.organizationId],
  );
  // Other people, such as those of the demo, may get emails, too.
  const mail = await waitFor(() => smtp.received.find(({ to }) => to === owner!.email)).finally(
    () => clearInterval(aging),
  );
  const text = mail.text.replaceAll(/\s+/g, ' ');
  expect(text).toContain(ending);
  expect(text).toContain('Star then loses it, unless the term is changed.');
  expect(text).toContain('Nothing changes then by itself.');

  // The last day was the day before yesterday, and the service was down.
  await pass(92);
  const ended = `The term of 1 ZIP code of Star ended on ${formatDay(addDays(today, -2))}.`;
  await expect.poll(told).toEqual([ended, ended, ending, ending]);
  const live = await page('/account/map/live.json?metro=dallas-tx');
  const [held] = (JSON.parse(live) as { territories: { live: string }[] }).territories;
  expect(JSON.stringify(held)).not.toContain(ENDS);
  expect(JSON.stringify(held)).toContain(TOLD);
  const lookUp = async (zip: string) => (await json(`/agent/serving?zip=${zip}`)).brands;
  expect(await lookUp(ENDS)).toEqual([]);
  expect(await lookUp(TOLD)).toMatchObject([{ brand: 'star', endsOn: addDays(today, -2) }]);
  expect(await lookUp(OPEN)).toMatchObject([{ brand: 'star', endsOn: null }]);
  expect(await page('/account/brands/star?status=removed')).toContain(ENDS);
  expect(await page('/account/brands/star/history')).toContain(
    `The term ended on ${formatDay(addDays(today, -2))}.`,
  );
  const { periods } = await json(`/agent/record/zips/${ENDS}`);
  expect(periods).toMatchObject([
    {
      status: 'live',
      until: startOfDay(addDays(today, -1), 'America/New_York').toISOString(),
      ended: { by: 'The service' },
    },
  ]);

  await service.stop();
});
