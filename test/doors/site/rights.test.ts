/** The forms of the account area state what their sender needs. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { moduleFolder } from '../../../src/base/geodata/project-files.ts';
import type { Page } from '../../../src/doors/site/framework/page.ts';

const SITE = join(moduleFolder, 'doors/site');

async function pages(): Promise<Page[]> {
  const names = readdirSync(join(SITE, 'account'), { recursive: true, encoding: 'utf8' });
  const modules = await Promise.all(
    names
      .filter((name) => name.endsWith('route.js'))
      .map((name) => import(join(SITE, 'account', name)) as Promise<Record<string, unknown>>),
  );
  const exported = modules.flatMap((one) => Object.values(one)) as Partial<Page>[];
  return exported.filter((one) => one?.path !== undefined && one.forms) as Page[];
}

/** For the member themselves, only looking, or checked with the row that they name */
const FOR_EVERY_MEMBER = [
  '/account/brands/{brand}/look/preview',
  '/account/brands/{brand}/remove',
  '/account/connections',
  '/account/members/access',
  '/account/members/brands',
  '/account/members/remove',
  '/account/members/role',
  '/account/notifications',
  '/account/organization',
  '/account/password',
  '/account/reviews/confirm',
  '/account/second-factor/app',
  '/account/second-factor/app/remove',
  '/account/second-factor/passkey',
  '/account/second-factor/passkey/remove',
  '/account/second-factor/recovery-codes',
  '/account/sessions',
  '/account/sessions/end-others',
];

it('is declared for each form that changes what the organization has', async () => {
  const all = (await pages()).flatMap((page) =>
    page.forms!.map((form) => ({ path: form.path ?? page.path, form })),
  );
  expect(all.length).toBeGreaterThan(40);
  const open = all.filter(({ form }) => !form.needs && !form.roles).map(({ path }) => path);
  expect([...new Set(open)].sort()).toEqual(FOR_EVERY_MEMBER);
});
