/** The running service and a browser, which the test files of a worker share. */
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { newClient } from './clients.ts';
import { closePages, openPages, openProfile } from './maplibre.ts';
import type { RunningService } from './processes.ts';
import { sharedService } from './shared-service.ts';

/** A new browser profile with one open page. */
export interface Profile {
  page: Page;
  context: BrowserContext;
  /** Console messages, uncaught errors, and requests to other origins */
  complaints: string[];
}

interface ProfileOptions extends BrowserContextOptions {
  /** Secret of a signed-in person's session */
  session?: string;
}

export interface Browsing {
  /** Root of the site, without a slash at the end */
  readonly url: string;
  profile(options?: ProfileOptions): Promise<Profile>;
  /** Restarts the service on the same port, as a new process. */
  restart(): Promise<void>;
}

const SETTINGS = {
  // With the default of 3 s, tiles fail while other tests keep the machine busy.
  DATABASE_TIMEOUT_MS: '60000',
  // Each profile is a client of its own, so that limits don't add up over files: the faster a machine, the more
  // of them run within a minute.
  TRUSTED_PROXIES: '127.0.0.1',
};

/**
 * A screen with half of the usual resolution: the layout is the same, but software GL draws a quarter of the
 * pixels. Tests of a map's colors use the full resolution. Reduced motion makes maps move at once.
 */
const PROFILE = {
  viewport: { width: 1440, height: 900 },
  deviceScaleFactor: 0.5,
  reducedMotion: 'reduce',
} satisfies BrowserContextOptions;

/** Characters of a page that a failed test leaves open: enough for what it says */
const MOST_TEXT = 2_000;

/**
 * Starts the service before the file's first test, unless it is running. The first profile starts the browser.
 * @param stops whether to stop the service after the file. Required on the empty database, where the service would
 *   delete expired rows that other files test
 */
export function browsing(settings: Record<string, string>, { stops = false } = {}): Browsing {
  const shared = sharedService({ ...SETTINGS, ...settings });
  let service: RunningService;
  beforeAll(async () => {
    service = await shared.running();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    const ends = (await openPages()).map(async (page) => {
      const text = await page.locator('body').innerText({ timeout: 10_000 }).catch(String);
      return `The test ended at ${page.url()}:\n${text.replaceAll(/\s+/g, ' ').slice(0, MOST_TEXT)}`;
    });
    // Reports take it as a second failure of the test.
    throw new Error((await Promise.all(ends)).join('\n'));
  });
  afterAll(async () => {
    await closePages();
    if (stops) await shared.stop();
  });
  return {
    get url() {
      return service.url;
    },
    profile: async ({ session, extraHTTPHeaders: headers, ...options } = {}) => {
      const extraHTTPHeaders = { ...newClient(), ...headers };
      const context = await openProfile({ ...PROFILE, ...options, extraHTTPHeaders });
      if (session) {
        await context.addCookies([{ name: 'session', value: session, url: service.url }]);
      }
      const page = await context.newPage();
      return { page, context, complaints: complaintsOf(page, service.url) };
    },
    restart: async () => {
      service = await shared.restart();
    },
  };
}

/**
 * Software GL warns whenever a test reads pixels, autofocus comes too late for a test that types at once, and pages ask
 * again for what a busy service refuses.
 */
const IGNORED = /GL Driver Message|Autofocus processing was blocked|status of 503|\(503\)/;

function complaintsOf(page: Page, origin: string): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (!IGNORED.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin !== origin) complaints.push(request.url());
  });
  return complaints;
}
