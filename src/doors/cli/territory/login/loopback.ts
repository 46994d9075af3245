/** Receives the redirect that ends a sign-in in the browser (RFC 8252, 7.3). */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { escapeHtml } from '../../../../base/text/escape-html.ts';

export interface Loopback {
  redirect: string;
  /** Returns the query of the redirect. @param isExpected distinguishes it from other requests to the port */
  received(isExpected: (query: URLSearchParams) => boolean): Promise<URLSearchParams>;
  close(): void;
}

export async function listenForRedirect(): Promise<Loopback> {
  let receive: ((query: URLSearchParams) => boolean) | undefined;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const accepted = pathname === '/callback' && receive?.(searchParams);
    const failed = searchParams.has('error');
    const [status, title, text] = !accepted
      ? [404, 'Not found', 'Start again with: territory login']
      : failed
        ? [200, 'Not signed in', 'Access was denied. Return to your terminal.']
        : [200, 'Signed in', 'You can close this window and return to your terminal.'];
    response.writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      'Cache-Control': 'no-store',
      Connection: 'close',
    });
    response.end(page(title, text));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    redirect: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    received: (isExpected) =>
      new Promise((resolve) => {
        receive = (query) => {
          if (!isExpected(query)) return false;
          resolve(query);
          return true;
        };
      }),
    close: () => {
      server.close();
      server.closeIdleConnections();
    },
  };
}

const page = (title: string, text: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} · territory</title>
<style>
  body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1.5rem; color-scheme: light dark }
  h1 { font-size: 1.5rem }
</style>
<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></html>
`;
