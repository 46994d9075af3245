/** An HTTPS server that receives webhooks and verifies their signatures, as receivers do. */
import { createServer } from 'node:https';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll } from 'vitest';
import type { PublicEvent } from '../../../src/people/events/public-event.ts';
import {
  publicFetch,
  requirePublicHost,
  type ClientFetch,
} from '../../../src/base/outside/public-fetch.ts';
import { localCertificate } from './certificate.ts';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  event: PublicEvent;
}

export interface WebhookReceiver {
  /** `https://localhost:…` */
  origin: string;
  /** The service's own fetch, except that it accepts this server's address and certificate */
  fetch: ClientFetch;
  requireHost: (url: URL) => Promise<void>;
  /** Requests, in the order of their arrival */
  received: Received[];
  /** Answers requests. Default: 204 */
  answer: (request: Received, res: ServerResponse) => void;
}

export async function webhookReceiver(): Promise<WebhookReceiver> {
  const { key, cert } = localCertificate();
  const isAllowed = (address: string) => address === '127.0.0.1' || address === '::1';
  const trust = { isAllowed, ca: cert };
  const receiver: WebhookReceiver = {
    origin: '',
    fetch: publicFetch(trust),
    received: [],
    requireHost: (url) => requirePublicHost(url, trust),
    answer: (_request, res) => void res.writeHead(204).end(),
  };
  const server = createServer({ key, cert }, (req, res) => {
    let body = '';
    req.on('data', (chunk) => (body += chunk));
    req.on('end', () => {
      const request = {
        path: req.url!,
        headers: req.headers,
        body,
        event: JSON.parse(body) as PublicEvent,
      };
      receiver.received.push(request);
      receiver.answer(request, res);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  receiver.origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  return receiver;
}

/** @throws unless the request is signed with the secret */
export const verify = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);
