/** Assembles the service: the path of a request, top to bottom. */
import Koa from 'koa';
import type { Logger } from 'pino';
import { appSecretBox } from './account/authenticator-app.ts';
import { companySecretBox } from './account/company-sign-in/parts.ts';
import type { SecretBox } from './account/secret-box.ts';
import type { Roots } from './contract/openapi/about.ts';
import type { Operation } from './contract/operation.ts';
import type { Database } from './db/database.ts';
import { EVENT_WEBHOOKS } from './events/webhook-declarations.ts';
import { agentOperations } from './http/agent/operations.ts';
import { brandTileOperations } from './http/brands/tiles.ts';
import { clientAddress, type ClientOf } from './http/requests/client-address.ts';
import { forwardToAuthorizationServer } from './http/connectors/forward.ts';
import { connectorOperations } from './http/connectors/operations.ts';
import { answerCaches } from './http/answers/answer-caches.ts';
import type { SharedAnswers } from './http/answers/shared-answers.ts';
import { allowAnyOrigin } from './http/answers/cors.ts';
import { challenges } from './http/sign-in/credentials.ts';
import { setDeprecationHeaders } from './http/answers/deprecation.ts';
import { answerErrors } from './http/answers/error-answers.ts';
import { sendHeaderFields } from './http/answers/header-fields.ts';
import { failedPages, sitePaths } from './site/failed/middleware.ts';
import { fontOperation } from './http/basemap/fonts.ts';
import { spriteOperations } from './http/basemap/sprites.ts';
import { findOperation } from './http/requests/find-operation.ts';
import type { Geocoder } from './outside/geocoding/geocoder.ts';
import { healthOperation } from './http/service/health.ts';
import { runSteps } from './http/requests/steps.ts';
import { limits } from './http/limits/limits.ts';
import { mapContextOperation } from './http/basemap/map-context.ts';
import { contractDocuments, contractOperations } from './http/service/openapi.ts';
import { CONSENT_PATH, isConsent } from './site/consent/route.ts';
import { isSignIn } from './site/sign-in/route.ts';
import { publicRoutes, visitRoutes } from './site/routes.ts';
import { publicOperations } from './http/public/operations.ts';
import { beginRequests, logBegun } from './http/requests/request-log.ts';
import type { RequestObserver } from './observe/requests.ts';
import { originForm, wellFormed } from './http/requests/request-target.ts';
import { Repeater } from './http/answers/repeat.ts';
import { contractRoutes, type RouterOptions } from './http/routes.ts';
import { browserCookie, companyCookie, sessionCookie } from './http/sign-in/site-cookie.ts';
import { sharedOperations } from './http/shared/operations.ts';
import { sharedPlanOperations } from './http/shared-plans/operations.ts';
import { serviceCheckFields, serviceCheckRoutes } from './site/service-check/route.ts';
import { sharedMapFields, sharedMapRoutes } from './site/shared-map/route.ts';
import { sharedPlanFields, sharedPlanRoutes } from './site/shared-plan/route.ts';
import { consentPageFields, setCommonHeaders } from './http/answers/common-headers.ts';
import { streetsOperations } from './http/basemap/streets.ts';
import { styleOperation } from './http/basemap/styles.ts';
import { tileOperations } from './http/basemap/tiles.ts';
import { TILESETS } from './http/basemap/tilesets.ts';
import { keyLimits } from './metering/key-limits.ts';
import { mcpDiscovery } from './mcp/discovery.ts';
import { mcpOperation } from './mcp/operation.ts';
import { memoryLimiter, type Limiter } from './metering/limiter.ts';
import { networkList } from './text/networks.ts';
import type { Streets } from './streets/streets.ts';
import { signingSecretBox } from './account/signing-secret.ts';
import { staticOperations } from './http/static/operations.ts';
import { pictureWithoutFormat } from './http/static/without-format.ts';
import { authorizationServer } from './oauth/authorization.ts';
import { addressesOf } from './oauth/discovery.ts';
import type { WebhookParts } from './notify/webhooks/manage.ts';
import { webhookSecretBox } from './notify/webhooks/secrets.ts';
import { issuerFetch } from './outside/issuer-fetch.ts';
import { publicFetch, type ClientFetch } from './outside/public-fetch.ts';
import type { MapRenderer } from './cartography/map-renderer.ts';
import type { DriveTimes } from './outside/routing/drive-times.ts';
import { Links } from './site/links.ts';

export interface AppParts {
  db: Database;
  renderer: MapRenderer;
  /** Default: maps are plain */
  streets?: Streets | null;
  log: Logger;
  /** URL of the API, including the base path, without a trailing slash */
  apiRoot(): string;
  /** Counts requests against limits. Default: in this process only */
  limiter?: Limiter;
  /** Finds the client of a request. Default: the sender, as if there were no proxy */
  clientOf?: ClientOf;
  /** Default: no routing server */
  driveTimes?: DriveTimes | undefined;
  /** Default: the search finds no addresses */
  geocoder?: Geocoder | undefined;
  /** Whether the service sends email. Default: false */
  sendsMail?: boolean;
  /** Decrypts the secrets of authenticator apps. Default: they aren't encrypted */
  secrets?: SecretBox;
  /** Decrypts the secrets that sign URLs. Default: they aren't encrypted */
  signingSecrets?: SecretBox;
  /** Encrypts the secrets of company sign-in. Default: they aren't encrypted */
  companySecrets?: SecretBox;
  /** Asks the issuers of company sign-in. Default: only those at public addresses */
  issuerFetch?: ClientFetch;
  /** Stores and calls webhooks. Default: their secrets aren't encrypted */
  webhooks?: WebhookParts;
  /** Fetches client metadata documents of connectors. Default: from the internet */
  clientFetch?: ClientFetch;
  /** Prepared answers and pictures that all processes share. Default: each process makes its own */
  sharedAnswers?: SharedAnswers;
  /** Observes all requests, for metrics */
  observer?: RequestObserver;
}

/** All operations of the REST API. */
export function operations(
  parts: AppParts,
  basePath = '',
  caches = answerCaches(parts.apiRoot),
): Operation[] {
  const { db, renderer, streets = null, driveTimes, geocoder, log, apiRoot } = parts;
  const { signingSecrets = signingSecretBox([]), webhooks = defaultWebhooks() } = parts;
  const roots = rootsOf(apiRoot, basePath);
  const described = [
    healthOperation(db),
    mapContextOperation(db, caches),
    ...publicOperations(db, renderer, caches),
    ...sharedOperations(db, renderer, caches, roots),
    ...sharedPlanOperations(db, renderer, caches, () => roots().api),
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
    ...agentOperations({ db, renderer, driveTimes, geocoder, roots, documents, webhooks }),
    mcpOperation({ db, renderer, driveTimes, log, apiRoot, siteRoot: () => roots().site }),
    ...mcpDiscovery(roots),
  ];
  return all;
}

const defaultWebhooks = (): WebhookParts => ({ box: webhookSecretBox([]), fetch: publicFetch() });

const rootsOf = (apiRoot: () => string, basePath: string) => (): Roots => ({
  api: apiRoot(),
  site: apiRoot().slice(0, -basePath.length || undefined),
});

export function createApp(parts: AppParts, options: RouterOptions): Koa {
  const { db, renderer, log, apiRoot } = parts;
  const { limiter = memoryLimiter(), clientOf = clientAddress(networkList([])) } = parts;
  const begin = beginRequests(log, parts.observer);
  const repeater = new Repeater({ begin, limiter, clientOf });
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
  const { sendsMail = false, secrets = appSecretBox([]) } = parts;
  const { signingSecrets = signingSecretBox([]), driveTimes } = parts;
  const { companySecrets = companySecretBox([]) } = parts;
  const { issuerFetch: fetch = issuerFetch(networkList([])) } = parts;
  const { webhooks = defaultWebhooks() } = parts;
  const visited = visitRoutes({
    ...{
      db,
      renderer,
      driveTimes,
      geocodes: parts.geocoder !== undefined,
      caches,
      limiter,
      roots,
      connectors,
      sendsMail,
      secrets,
      signingSecrets,
      webhooks,
    },
    cookie,
    browserCookie: browserCookie(roots),
    company: { db, fetch, secrets: companySecrets, log },
    companyCookie: companyCookie(roots),
  });
  const site = [
    ...publicRoutes(db, all, roots, parts.geocoder),
    ...sharedPages,
    ...sharedPlans,
    ...serviceChecks,
    ...visited,
    ...connectorOperations,
    pictureWithoutFormat(options.basePath),
  ];
  const ownFields = new Map([
    ...sharedPages.map((op) => [op, sharedMapFields] as const),
    ...sharedPlans.map((op) => [op, sharedPlanFields] as const),
    ...serviceChecks.map((op) => [op, serviceCheckFields] as const),
    ...visited
      .filter((op) => isConsent(op) || isSignIn(op))
      .map((op) => [op, consentPageFields] as const),
  ]);
  const isSite = sitePaths(all.map(({ path }) => options.basePath + path));
  const app = new Koa();
  app.on('error', (error: NodeJS.ErrnoException) => {
    // Client disconnects are recorded in the request log.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    log.error({ err: error }, 'failed to send the answer');
  });
  app.use(logBegun(begin));
  app.use(sendHeaderFields);
  app.use(
    runSteps(
      originForm,
      findOperation(all, options.basePath),
      findOperation(site, ''),
      setCommonHeaders(apiRoot, all, ownFields),
      allowAnyOrigin,
      setDeprecationHeaders(apiRoot),
    ),
  );
  app.use(failedPages(isSite, roots));
  app.use(answerErrors(log, challenges(addresses)));
  const admission = {
    ...{ db, limiter, keyLimits: keyLimits(db), clientOf, cookie },
    resources: addresses,
  };
  app.use(limits(admission, options.basePath));
  app.use(runSteps(wellFormed));
  app.use(forwardToAuthorizationServer(connectors, addresses));
  app.use(contractRoutes(all, { ...options, repeater }));
  app.use(contractRoutes(site, { ...options, basePath: '' }));
  const callback = app.callback.bind(app);
  app.callback = () => repeater.wrap(callback()) as ReturnType<Koa['callback']>;
  return app;
}
