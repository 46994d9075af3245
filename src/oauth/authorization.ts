/** Asking a person whether a client may act for them, and going on with what they say. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { Caller } from '../account/caller.ts';
import type { Database } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { nameOfClient, placeOf } from './client-metadata.ts';
import { addConnection } from './connections.ts';
import { cookieKey } from './cookie-key.ts';
import { CONNECTION_DAYS, createProvider, ROUTES } from './provider.ts';
import type { ClientFetch } from './public-fetch.ts';
import { refusalSentence } from './refusals.ts';
import { scopesAsked, WRITE } from './scopes.ts';

export interface AuthorizationServer {
  /** @throws ServiceError 503 while the database is away */
  provider(): Promise<Provider>;
  /** What tokens are for */
  resource(): string;
}

export interface AuthorizationParts {
  db: Database;
  issuer(): string;
  resource(): string;
  consentPath(uid: string): string;
  fetch?: ClientFetch | undefined;
}

/** Its addresses are known once the service listens, and its cookies' key once the database is there. */
export function authorizationServer(parts: AuthorizationParts): AuthorizationServer {
  const { db, issuer, resource, consentPath, fetch } = parts;
  let made: Promise<Provider> | undefined;
  const make = async () =>
    createProvider({
      db,
      issuer: issuer(),
      resource: resource(),
      consentPath,
      cookieKey: await cookieKey(db),
      ...(fetch && { fetch }),
    });
  return {
    resource,
    provider: () =>
      (made ??= make().catch((error: unknown) => {
        made = undefined;
        throw error;
      })),
  };
}

/** A client's request that waits for a person's answer. */
export interface ConsentRequest {
  client: {
    id: string;
    /** As it calls itself */
    name: string;
    /** Host that the client proves to be of by its description there; null: it registered itself */
    host: string | null;
  };
  /** Where the person is led back to */
  redirectTo: string;
  mayWrite: boolean;
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** @throws ServiceError 404 for one that is answered, over, or another browser's */
export async function consentRequest(
  server: AuthorizationServer,
  uid: string,
  headers: IncomingHttpHeaders,
): Promise<ConsentRequest> {
  const provider = await server.provider();
  return requestOf(provider, await interactionOf(provider, uid, headers));
}

async function requestOf(provider: Provider, { params }: Interaction): Promise<ConsentRequest> {
  const { client_id: id, redirect_uri: redirect, scope } = params as Record<string, string>;
  const client = await provider.Client.find(id!);
  if (!client) throw notFound(refusalSentence({ error: 'invalid_client' }));
  return {
    client: {
      id: id!,
      name: nameOfClient(client.clientName, redirect!),
      host: URL.canParse(id!) ? new URL(id!).host : null,
    },
    redirectTo: placeOf(redirect!),
    mayWrite: scopesAsked(scope).includes(WRITE),
  };
}

/**
 * The person lets the client do all that it asks for, in one organisation.
 * @returns path at which the browser goes on, and the client is answered
 */
export async function allow(
  db: Database,
  server: AuthorizationServer,
  uid: string,
  headers: IncomingHttpHeaders,
  { organization, actor }: Pick<Caller, 'organization' | 'actor'>,
): Promise<string> {
  const provider = await server.provider();
  const interaction = await interactionOf(provider, uid, headers);
  const request = await requestOf(provider, interaction);
  const { client_id: clientId, scope } = interaction.params as Record<string, string>;
  const grant = new provider.Grant({ accountId: actor.id!, clientId: clientId! });
  grant.addResourceScope(server.resource(), scopesAsked(scope).join(' '));
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
  });
  return answer(interaction, {
    login: { accountId: actor.id!, remember: false },
    consent: { grantId },
  });
}

/** @returns as `allow` */
export async function deny(
  server: AuthorizationServer,
  uid: string,
  headers: IncomingHttpHeaders,
): Promise<string> {
  const interaction = await interactionOf(await server.provider(), uid, headers);
  return answer(interaction, {
    error: 'access_denied',
    error_description: 'the person does not want it',
  });
}

async function answer(interaction: Interaction, result: Interaction['result']): Promise<string> {
  interaction.result = result;
  await interaction.save(interaction.exp - Math.floor(Date.now() / 1000));
  return `${ROUTES.authorization}/${interaction.uid}`;
}

/** By its name and the cookie of the browser in which it was begun. */
async function interactionOf(
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
