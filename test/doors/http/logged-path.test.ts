/** Secrets in paths, which stand in the request log. */
import { expect, it } from 'vitest';
import { answerCaches } from '../../../src/doors/http/answers/answer-caches.ts';
import { connectorOperations } from '../../../src/doors/http/connectors/operations.ts';
import { loggedPath } from '../../../src/doors/http/requests/request-log.ts';
import { memoryLimiter } from '../../../src/people/metering/limiter.ts';
import { publicRoutes, visitRoutes } from '../../../src/doors/site/routes.ts';
import { locatorRoutes } from '../../../src/doors/site/locator/route.ts';
import { serviceCheckRoutes } from '../../../src/doors/site/service-check/route.ts';
import { sharedMapRoutes } from '../../../src/doors/site/shared-map/route.ts';
import { sharedPlanRoutes } from '../../../src/doors/site/shared-plan/route.ts';
import { bareOperations, bareParts } from '../../support/bare-app.ts';

/** Parameters of paths that give no access: ids and names of things, and parts of pictures */
const HARMLESS = new Set([
  'tag',
  'brand',
  'kind',
  'label',
  'group',
  'reserve',
  'change',
  'dataSet',
  'place',
  'plan',
  'measure',
  'webhook',
  'delivery',
  'report',
  'organization',
  'clientId',
  'metroSlug',
  'vertical',
  'zip',
  'part',
  'version',
  'hash',
  'style',
  'subject',
  'view',
  'size',
  'format',
  'name',
  'fontstack',
  'range',
  'z',
  'x',
  'y',
  'row',
]);

const parts = bareParts();
const { db, renderer } = parts;
const roots = () => ({ api: 'http://localhost/api', site: 'http://localhost' });
const caches = answerCaches(() => '');
const cookie = {} as never;
const api = bareOperations(parts);
const all = [
  ...api,
  ...publicRoutes(db, api, roots),
  ...sharedMapRoutes(db, renderer, roots, caches),
  ...sharedPlanRoutes(db, roots, caches),
  ...serviceCheckRoutes(db, renderer, roots, caches),
  ...locatorRoutes({ ...parts, roots, caches }),
  ...connectorOperations,
  ...visitRoutes({
    db,
    renderer,
    caches,
    roots,
    limiter: memoryLimiter(),
    cookie,
    browserCookie: cookie,
    companyCookie: cookie,
    connectors: cookie,
    sendsMail: false,
    secrets: parts.secrets,
    signingSecrets: parts.signingSecrets,
    company: parts.company,
    webhooks: parts.webhooks,
  }),
];

const withSecrets = [...new Set(all.map(({ path }) => path))].filter((path) =>
  [...path.matchAll(/\{(\w+)\}/g)].some(([, name]) => !HARMLESS.has(name!)),
);

const SECRET = 'Zk39xWqLt7Rb2mNv8Yc4';

it.each(withSecrets)('of %s shows three characters of the secret', (path) => {
  const sent = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    HARMLESS.has(name) ? 'some' : SECRET,
  );
  for (const each of [sent, `/api${sent}`, `${sent}/`, `${sent}.`, sent.toUpperCase()]) {
    const shown = loggedPath(each).toLowerCase();
    expect(shown).toContain('zk3…');
    expect(shown).not.toContain(SECRET.slice(0, 4).toLowerCase());
  }
});

it('of an operation with a secret is found, among all that the service has', () => {
  expect(withSecrets).toEqual(
    expect.arrayContaining([
      '/unsubscribe/{token}',
      '/password/{token}',
      '/connect/{uid}',
      '/s/{token}',
      '/find/{token}',
    ]),
  );
});
