/** Answers all requests with 503 until the service is ready. `/healthz` also reports the progress. */
import type { Logger } from 'pino';
import Koa from 'koa';
import type { StartProgress } from '../../../base/observe/start-progress.ts';
import { commonHeaders, type Headers } from '../answers/common-headers.ts';
import { requestLog } from '../requests/request-log.ts';

interface StartingParts {
  log: Logger;
  apiRoot(): string;
  /** Prefix of the API's paths */
  basePath: string;
  progress(): StartProgress;
  /** The page for browsers */
  page(progress: StartProgress): { html: string; headers: Headers };
}

/** Most starts take a few seconds. */
const RETRY_SECONDS = '2';

export function startingApp({ log, apiRoot, basePath, progress, page }: StartingParts): Koa {
  const app = new Koa();
  app.silent = true; // a client may disconnect, which the request log records
  app.use(requestLog(log));
  app.use((ctx) => {
    ctx.set(commonHeaders(apiRoot()));
    ctx.set({ 'Cache-Control': 'no-store', Vary: 'Accept', 'Retry-After': RETRY_SECONDS });
    ctx.status = 503;
    const now = progress();
    if (ctx.path === `${basePath}/healthz`) {
      ctx.body = { status: 'degraded', progress: now };
    } else if (ctx.accepts('json', 'html') === 'html') {
      const { html, headers } = page(now);
      ctx.set(headers);
      ctx.type = 'html';
      ctx.body = html;
    } else {
      ctx.body = { error: reasonOf(now), code: 'unavailable' };
    }
  });
  return app;
}

const reasonOf = ({ stage, percent }: StartProgress) =>
  `The service is starting (${stage}${percent === null ? '' : `, ${percent}%`}). Try again in a moment.`;
