/** The page that browsers show until the service is ready. It needs no other file and reloads itself. */
import { createHash } from 'node:crypto';
import { SERVICE_NAME } from '../../../base/text/service-name.ts';
import type { StartProgress } from '../../../base/observe/start-progress.ts';
import { html } from '../html.ts';
import type { Headers } from '../../http/answers/common-headers.ts';

const RELOAD_SECONDS = 2;

const STYLE = html`
  <style>
    :root {
      color-scheme: light dark;
      font:
        18px/1.5 system-ui,
        sans-serif;
    }
    body {
      max-width: 32rem;
      margin: 20vh auto 0;
      padding: 0 1.5rem;
    }
    h1 {
      font-size: 1.6rem;
      line-height: 1.2;
    }
    progress {
      width: 100%;
    }
  </style>
`;

const styleHash = createHash('sha256')
  .update(/<style>(.*)<\/style>/s.exec(STYLE.text)![1]!)
  .digest('base64');

const HEADERS = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'`,
};

export function startingPage({ stage, percent }: StartProgress): {
  html: string;
  headers: Headers;
} {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="refresh" content="${RELOAD_SECONDS}" />
        <title>Starting – ${SERVICE_NAME}</title>
        ${STYLE}
      </head>
      <body>
        <main>
          <h1>${SERVICE_NAME} is starting</h1>
          <p>${stage}${percent !== null && ` (${percent}%)`}</p>
          ${
            percent === null
              ? html`<progress aria-label="${stage}"></progress>`
              : html`<progress aria-label="${stage}" max="100" value="${percent}"></progress>`
          }
          <p>
            This page reloads by itself until the service is ready. The first start takes longest,
            because it prepares data for the whole country.
          </p>
        </main>
      </body>
    </html>`;
  return { html: page.text, headers: HEADERS };
}
