/** Assembles the service: the path of a request, top to bottom. */
import Koa from 'koa';
import type { Logger } from 'pino';
import type { CompanyParts } from './people/account/company-sign-in/parts.ts';
import type { SecretBox } from './people/account/secret-box.ts';
import type { Roots } from './base/contract/openapi/about.ts';
import type { Operation } from './base/contract/operation.ts';
import type { Database } from './base/db/database.ts';
import { EVENT_WEBHOOKS } from './people/events/webhook-declarations.ts';
import { agentOperations } from './doors/http/agent/operations.ts';
import { brandTileOperations } from './doors/http/brands/tiles.ts';
import type { ClientOf } from './doors/http/requests/client-address.ts';
import { forwardToAuthorizationServer } from './doors/http/connectors/forward.ts';
import { connectorOperations } from './doors/http/connectors/operations.ts';
import { answerCaches, type AnswerCaches } from './doors/http/answers/answer-caches.ts';
import type { SharedAnswers } from './doors/http/answers/shared-answers.ts';
import { allowAnyOrigin } from './doors/http/answers/cors.ts';
import { challenges } from './doors/http/sign-in/credentials.ts';
import { setDeprecationHeaders } from './doors/http/answers/deprecation.ts';
import { answerErrors } from './doors/http/answers/error-answers.ts';
import { failedPages, sitePaths } from './doors/site/failed/middleware.ts';
import { fontOperation } from './doors/http/basemap/fonts.ts';
import { spriteOperations } from './doors/http/basemap/sprites.ts';
import { findOperation } from './doors/http/requests/find-operation.ts';
import type { Geocoder } from './data/geocoding/geocoder.ts';
import { publicLocatorOperations } from './doors/http/locators/operations.ts';
import { healthOperation } from './doors/http/service/health.ts';
import { runSteps } from './doors/http/requests/steps.ts';
import { limits } from './doors/http/limits/limits.ts';
import { mapContextOperation } from './doors/http/basemap/map-context.ts';
import { contractDocuments, contractOperations } from './doors/http/service/openapi.ts';
import { CONSENT_PATH, isConsent } from './doors/site/consent/route.ts';
import { isSignIn } from './doors/site/sign-in/route.ts';
import { publicRoutes, visitRoutes } from './doors/site/routes.ts';
import { publicOperations } from './doors/http/public/operations.ts';
import { requestLog } from './doors/http/requests/request-log.ts';
import type { RequestObserver } from './base/observe/requests.ts';
import { originForm, wellFormed } from './doors/http/requests/request-target.ts';
import { contractRoutes, type RouterOptions } from './doors/http/routes.ts';
import { browserCookie, companyCookie, sessionCookie } from './doors/http/sign-in/site-cookie.ts';
import { sharedOperations } from './doors/http/shared/operations.ts';
import { sharedPlanOperations } from './doors/http/shared-plans/operations.ts';
import { locatorHeaders, locatorRoutes } from './doors/site/locator/route.ts';
import { serviceCheckHeaders, serviceCheckRoutes } from './doors/site/service-check/route.ts';
import { sharedMapHeaders, sharedMapRoutes } from './doors/site/shared-map/route.ts';
import { sharedPlanHeaders, sharedPlanRoutes } from './doors/site/shared-plan/route.ts';
import { consentPageHeaders, setCommonHeaders } from './doors/http/answers/common-headers.ts';
import { streetsOperations } from './doors/http/basemap/streets.ts';
import { styleOperation } from './doors/http/basemap/styles.ts';
import { tileOperations } from './doors/http/basemap/tiles.ts';
import { TILESETS } from './doors/http/basemap/tilesets.ts';
import { keyLimits } from './people/metering/key-limits.ts';
import { mcpDiscovery } from './doors/mcp/discovery.ts';
import { mcpOperation } from './doors/mcp/operation.ts';
import type { Limiter } from './people/metering/limiter.ts';
import type { Streets } from './data/streets/streets.ts';
import { staticOperations } from './doors/http/static/operations.ts';
import { pictureWithoutFormat } from './doors/http/static/without-format.ts';
import { authorizationServer } from './people/oauth/authorization.ts';
import { addressesOf } from './people/oauth/discovery.ts';
import type { WebhookParts } from './territories/notify/webhooks/manage.ts';
import type { ClientFetch } from './base/outside/public-fetch.ts';
import type { MapRenderer } from './maps/cartography/map-renderer.ts';
import type { DriveTimes } from './data/routing/drive-times.ts';
import { Links } from './doors/site/links.ts';

/** What the service consists of. A part that a setting turns off is undefined. */
export interface AppParts {
  db: Database;
  renderer: MapRenderer;
  /** null: maps are plain */
  streets: Streets | null;
  log: Logger;
  /** URL of the API, including the base path, without a trailing slash */
  apiRoot(): string;
  /** Counts requests against limits */
  limiter: Limiter;
  /** Finds the client of a request */
  clientOf: ClientOf;
  driveTimes: DriveTimes | undefined;
  /** Without it, the search finds no addresses. */
  geocoder: Geocoder | undefined;
  sendsMail: boolean;
  /** Decrypts the secrets of authenticator apps */
  secrets: SecretBox;
  /** Decrypts the secrets that sign URLs */
  signingSecrets: SecretBox;
  company: CompanyParts;
  /** Stores and calls webhooks */
  webhooks: WebhookParts;
  /** Fetches client metadata documents of connectors */
  clientFetch: ClientFetch;
  /** Prepared answers and pictures that all processes share. Without them, each process makes its own. */
  sharedAnswers: SharedAnswers | undefined;
  /** Observes all requests, for metrics */
  observer: RequestObserver | undefined;
}

/** All operations of the REST API. */
export function operations(parts: AppParts, basePath: string, caches: AnswerCaches): Operation[] {
  const { db, renderer, streets, driveTimes, geocoder, limiter, log, apiRoot } = parts;
  const { signingSecrets, webhooks } = parts;
  const roots = rootsOf(apiRoot, basePath);
  const described = [
    healthOperation(db),
    mapContextOperation(db, caches),
    ...publicOperations(db, renderer, caches),
    ...sharedOperations(db, renderer, caches, roots),
    ...sharedPlanOperations(db, renderer, caches, () => roots().api),
    ...publicLocatorOperations({ db, limiter, geocoder }),
    ...brandTileOperations(db, caches, apiRoot),
    ...staticOperations({ db, renderer, streets, caches, apiRoot, signingSecrets }),
    ...TILESETS.flatMap((tileset) => tileOperations(db, caches, tileset, apiRoot)),
    ...streetsOperations(streets, caches, apiRoot),
    styleOperation(db, renderer, caches, apiRoot),
    fontOperation(caches),
    ...spriteOperations(caches),
  ];
  const documents = contractDocuments(() => all, roots, EVENT_WEBHOOKS);
  const all: Operation[] = [
    ...described,
    ...contractOperations(documents),
    ...agentOperations({
      db,
      renderer,
      driveTimes,
      geocoder,
      roots,
      documents,
      webhooks,
      limiter,
      signingSecrets,
    }),
    mcpOperation({ db, renderer, driveTimes, log, apiRoot, siteRoot: () => roots().site }),
    ...mcpDiscovery(roots),
  ];
  return all;
}

const rootsOf = (apiRoot: () => string, basePath: string) => (): Roots => ({
  api: apiRoot(),
  site: apiRoot().slice(0, -basePath.length || undefined),
});

export function createApp(parts: AppParts, options: RouterOptions): Koa {
  const { db, renderer, log, apiRoot } = parts;
  const { limiter, clientOf, sendsMail, secrets, signingSecrets } = parts;
  const { driveTimes, geocoder, company, webhooks } = parts;
  const caches = answerCaches(apiRoot, parts.sharedAnswers);
  const all = operations(parts, options.basePath, caches);
  const roots = rootsOf(apiRoot, options.basePath);
  const cookie = sessionCookie(roots);
  const addresses = () => addressesOf(roots());
  const connectors = authorizationServer({
    db,
    issuer: () => addresses().site,
    resources: addresses,
    consentPath: (uid) => new Links(roots()).page(`${CONSENT_PATH}/${uid}`),
    fetch: parts.clientFetch,
  });
  const sharedPages = sharedMapRoutes(db, renderer, roots, caches);
  const sharedPlans = sharedPlanRoutes(db, roots, caches);
  const serviceChecks = serviceCheckRoutes(db, renderer, roots, caches);
  const locators = locatorRoutes({ db, renderer, limiter, geocoder, roots, caches, sendsMail });
  const siteParts = {
    db,
    renderer,
    driveTimes,
    geocoder,
    caches,
    limiter,
    roots,
    connectors,
    sendsMail,
    secrets,
    signingSecrets,
    webhooks,
    cookie,
    browserCookie: browserCookie(roots),
    company,
    companyCookie: companyCookie(roots),
  };
  const visited = visitRoutes(siteParts);
  const site = [
    ...publicRoutes(db, all, roots, geocoder),
    ...sharedPages,
    ...sharedPlans,
    ...serviceChecks,
    ...locators,
    ...visited,
    ...connectorOperations,
    pictureWithoutFormat(options.basePath),
  ];
  const ownHeaders = new Map([
    ...sharedPages.map((op) => [op, sharedMapHeaders] as const),
    ...sharedPlans.map((op) => [op, sharedPlanHeaders] as const),
    ...serviceChecks.map((op) => [op, serviceCheckHeaders] as const),
    ...locators.map((op) => [op, locatorHeaders] as const),
    ...visited
      .filter((op) => isConsent(op) || isSignIn(op))
      .map((op) => [op, consentPageHeaders] as const),
  ]);
  const isSite = sitePaths(all.map(({ path }) => options.basePath + path));
  const app = new Koa();
  app.on('error', (error: NodeJS.ErrnoException) => {
    // Client disconnects are recorded in the request log.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    log.error({ err: error }, 'failed to send the answer');
  });
  app.use(requestLog(log, parts.observer));
  app.use(
    runSteps(
      originForm,
      findOperation(all, options.basePath),
      findOperation(site, ''),
      setCommonHeaders(apiRoot, all, ownHeaders),
      allowAnyOrigin,
      setDeprecationHeaders(apiRoot),
    ),
  );
  app.use(failedPages(isSite, siteParts));
  app.use(answerErrors(log, challenges(addresses)));
  const admission = {
    db,
    limiter,
    keyLimits: keyLimits(db),
    clientOf,
    cookie,
    resources: addresses,
  };
  app.use(limits(admission, options.basePath));
  app.use(runSteps(wellFormed));
  app.use(forwardToAuthorizationServer(connectors, addresses));
  app.use(contractRoutes(all, options));
  app.use(contractRoutes(site, { ...options, basePath: '' }));
  return app;
}
