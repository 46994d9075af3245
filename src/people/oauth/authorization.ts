/** Asks a person to let a client act on their behalf, and returns the decision to the client. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { Caller } from '../account/caller.ts';
import type { Database, Queryable } from '../../base/db/database.ts';
import { notFound } from '../../errors.ts';
import { clientName, describeRedirect } from './client-metadata.ts';
import type { CompanySession } from '../account/sessions.ts';
import { addConnection } from '../account/connections/connections.ts';
import { CONNECTION_DAYS, ROUTES } from './connector-terms.ts';
import type { Resources } from './discovery.ts';
import type { ClientFetch } from '../../base/outside/public-fetch.ts';
import { refusalSentence } from './refusals.ts';
import { requestedScopes, WRITE } from './scopes.ts';
import { randomBytes } from 'node:crypto';

export interface AuthorizationServer {
  /** @throws ServiceError 503 while the database is unavailable */
  provider(): Promise<Provider>;
  resources(): Resources;
}

interface AuthorizationParts {
  db: Database;
  issuer(): string;
  resources(): Resources;
  consentPath(uid: string): string;
  /** Fetches clients' metadata documents */
  fetch: ClientFetch;
}

/**
 * Creates the provider on first use, because its URLs aren't known until the service listens, nor its
 * cookie key until the database is available.
 */
export function authorizationServer(parts: AuthorizationParts): AuthorizationServer {
  const { db, issuer, resources, consentPath, fetch } = parts;
  let pending: Promise<Provider> | undefined;
  const create = async () => {
    // Loaded on demand, because it's a sixth of the code and most starts don't need it.
    const { createProvider } = await import('./provider.ts');
    return createProvider({
      db,
      issuer: issuer(),
      resources: resources(),
      consentPath,
      cookieKey: await cookieKey(db),
      fetch,
    });
  };
  return {
    resources,
    provider: () =>
      (pending ??= create().catch((error: unknown) => {
        pending = undefined;
        throw error;
      })),
  };
}

/** A client's request that awaits a person's decision. */
export interface ConsentRequest {
  client: {
    id: string;
    /** The client's own name for itself */
    name: string;
    /** Host of the client's metadata document; null if the client registered itself */
    host: string | null;
  };
  /** Destination to which the person returns, as shown on the page */
  redirectTo: string;
  mayWrite: boolean;
  /** Whether the client requests the whole API instead of only the MCP endpoint */
  wholeApi: boolean;
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** @throws ServiceError 404 if the request is decided, expired, or from another browser */
export async function consentRequest(
  server: AuthorizationServer,
  uid: string,
  headers: IncomingHttpHeaders,
): Promise<ConsentRequest> {
  const provider = await server.provider();
  return readRequest(server, await findInteraction(provider, uid, headers));
}

/** A request may name several resources. If it names none, the default applies. */
const requestedResources = ({ params }: Interaction) =>
  [params.resource as string | string[]].flat();

async function readRequest(
  server: AuthorizationServer,
  interaction: Interaction,
): Promise<ConsentRequest> {
  const provider = await server.provider();
  const { params } = interaction;
  const { client_id: id, redirect_uri: redirect, scope } = params as Record<string, string>;
  const client = await provider.Client.find(id!);
  if (!client) throw notFound(refusalSentence({ error: 'invalid_client' }));
  return {
    client: {
      id: id!,
      name: clientName(client.clientName, redirect!),
      host: URL.canParse(id!) ? new URL(id!).host : null,
    },
    redirectTo: describeRedirect(redirect!),
    mayWrite: requestedScopes(scope).includes(WRITE),
    wholeApi: requestedResources(interaction).includes(server.resources().api),
  };
}

/**
 * Grants all of the client's requested permissions, in one organization.
 * @param company the company sign-in of the person's session, with which the connection ends
 * @returns path for the browser, from which it returns to the client
 */
export async function allow(
  db: Database,
  server: AuthorizationServer,
  uid: string,
  headers: IncomingHttpHeaders,
  { organization, actor }: Pick<Caller, 'organization' | 'actor'>,
  company: CompanySession | null = null,
): Promise<string> {
  const provider = await server.provider();
  const interaction = await findInteraction(provider, uid, headers);
  const request = await readRequest(server, interaction);
  const { client_id: clientId, scope } = interaction.params as Record<string, string>;
  const grant = new provider.Grant({ accountId: actor.id!, clientId: clientId! });
  for (const resource of requestedResources(interaction)) {
    grant.addResourceScope(resource, requestedScopes(scope).join(' '));
  }
  const grantId = await grant.save();
  await addConnection(db, {
    grantId,
    personId: actor.id!,
    organizationId: organization.id,
    clientId: clientId!,
    clientName: request.client.name,
    redirectTo: request.redirectTo,
    mayWrite: request.mayWrite,
    days: CONNECTION_DAYS,
    companyGrant: company?.grantId ?? null,
  });
  return finish(interaction, {
    login: { accountId: actor.id!, remember: false },
    consent: { grantId },
  });
}

/** @returns path for the browser, as in `allow` */
export async function deny(
  server: AuthorizationServer,
  uid: string,
  headers: IncomingHttpHeaders,
): Promise<string> {
  const interaction = await findInteraction(await server.provider(), uid, headers);
  return finish(interaction, {
    error: 'access_denied',
    error_description: 'the person denied access',
  });
}

async function finish(interaction: Interaction, result: Interaction['result']): Promise<string> {
  interaction.result = result;
  await interaction.save(interaction.exp - Math.floor(Date.now() / 1000));
  return `${ROUTES.authorization}/${interaction.uid}`;
}

/**
 * Requires the browser's cookie to match, so that only the browser that started a request can finish it.
 */
async function findInteraction(
  provider: Provider,
  uid: string,
  headers: IncomingHttpHeaders,
): Promise<Interaction> {
  const request = { headers, socket: {} } as IncomingMessage;
  const interaction = await provider
    .interactionDetails(request, { getHeader: () => undefined } as unknown as ServerResponse)
    .catch((error: unknown) => {
      if ((error as Error).name !== 'SessionNotFound') throw error;
      return undefined;
    });
  if (interaction?.uid === uid) return interaction;
  throw notFound(refusalSentence({ error: 'invalid_request', error_description: 'session' }));
}

/** Returns the key, which all processes share. The first process creates it. */
async function cookieKey(db: Queryable): Promise<string> {
  await db.query('insert into oauth_cookie_key (secret) values ($1) on conflict do nothing', [
    randomBytes(32).toString('base64url'),
  ]);
  const [row] = await db.query<{ secret: string }>('select secret from oauth_cookie_key');
  return row!.secret;
}
