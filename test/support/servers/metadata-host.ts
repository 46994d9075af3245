/** An HTTPS host that serves a connector's client metadata, and a fetch function that trusts it. */
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { publicFetch, type ClientFetch } from '../../../src/base/outside/public-fetch.ts';
import { localCertificate } from './certificate.ts';

export interface MetadataHost {
  /** `https://localhost:…` */
  origin: string;
  /** The service's own fetch, except that it accepts this host's address and certificate */
  fetch: ClientFetch;
  /** Paths requested so far */
  requested: string[];
}

type Answer = (req: IncomingMessage, res: ServerResponse, origin: string) => void;

/** @param answer default: the metadata of a client whose id is the requested address */
export async function metadataHost(
  answer: Answer = describeClient('https://app.example/callback'),
): Promise<MetadataHost> {
  const { key, cert } = localCertificate();
  const requested: string[] = [];
  const server = createServer({ key, cert }, (req, res) => {
    requested.push(req.url!);
    answer(req, res, origin);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  const isAllowed = (address: string) => address === '127.0.0.1' || address === '::1';
  return { origin, requested, fetch: publicFetch({ isAllowed, ca: cert }) };
}

/** @returns an answer with the metadata of a client that redirects there */
export function describeClient(redirectUri: string): Answer {
  return ({ url }, res, origin) => {
    res.setHeader('Content-Type', 'application/json');
    res.end(
      JSON.stringify({
        client_id: origin + url,
        client_name: 'Documented Robot',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      }),
    );
  };
}
