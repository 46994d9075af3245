/** Signs a person in with their browser, like a connector, with OAuth 2.1 and PKCE. */
import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { EXIT, Failure } from '../failure.ts';
import type { ProcessIo } from '../command.ts';
import { openBrowser } from './browser.ts';
import { listenForRedirect, type Loopback } from './loopback.ts';
import { findAuthorizationServer, register, requestTokens } from './oauth.ts';
import type { SignIn } from './sign-ins.ts';

interface SignInOptions {
  /** Whether to open the browser */
  browser: boolean;
  readOnly: boolean;
  /** Time for the person to sign in */
  timeoutSeconds: number;
  /** Shows the URL to open */
  show(url: string, opened: boolean): void;
}

/** Signs in. @param api URL of the API @throws Failure */
export async function signIn(
  api: string,
  options: SignInOptions,
  io: Pick<ProcessIo, 'env' | 'in'>,
): Promise<SignIn> {
  const server = await findAuthorizationServer(api);
  const loopback = await listenForRedirect();
  try {
    const clientId = await register(
      server,
      `territory on ${hostname()}`.slice(0, 80),
      loopback.redirect,
    );
    const [state, verifier] = [randomText(), randomText()];
    const url = new URL(server.authorizationUrl);
    const query = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: loopback.redirect,
      scope: options.readOnly ? 'territory:read' : 'territory:read territory:write',
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: server.resource,
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const opened = options.browser && (await openBrowser(url.href, io.env['BROWSER']));
    options.show(url.href, opened);
    const code = await codeFrom(loopback, { state, issuer: server.issuer }, options, io.in);
    const tokens = await requestTokens(server.tokenUrl, {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: loopback.redirect,
      code_verifier: verifier,
      resource: server.resource,
    });
    const { issuer, tokenUrl, revocationUrl } = server;
    return { issuer, clientId, tokenUrl, revocationUrl, ...tokens };
  } finally {
    loopback.close();
  }
}

const randomText = () => randomBytes(32).toString('base64url');

interface Expected {
  state: string;
  issuer: string;
}

/** Waits for the redirect, or for its address that a person pastes from a browser on another machine. */
async function codeFrom(
  loopback: Loopback,
  { state, issuer }: Expected,
  { browser, timeoutSeconds }: SignInOptions,
  input: ProcessIo['in'],
): Promise<string> {
  const isExpected = (query: URLSearchParams) => query.get('state') === state;
  const lines = browser ? undefined : createInterface({ input: Readable.from(input) });
  let timer: NodeJS.Timeout | undefined;
  try {
    const query = await Promise.race([
      loopback.received(isExpected),
      new Promise<URLSearchParams>((resolve) => {
        lines?.on('line', (line) => {
          const pasted = URL.canParse(line.trim()) ? new URL(line.trim()).searchParams : undefined;
          if (pasted && isExpected(pasted)) resolve(pasted);
        });
      }),
      new Promise<never>((_, reject) => {
        timer = setTimeout(
          () =>
            reject(
              new Failure(
                EXIT.other,
                `No sign-in within ${timeoutSeconds} s. Run the command again.`,
              ),
            ),
          timeoutSeconds * 1_000,
        );
      }),
    ]);
    return readCode(query, issuer);
  } finally {
    clearTimeout(timer);
    lines?.close();
  }
}

function readCode(query: URLSearchParams, issuer: string): string {
  const error = query.get('error');
  if (error === 'access_denied') {
    throw new Failure(EXIT.notAllowed, 'Access was denied in the browser. Nothing was stored.');
  }
  const code = query.get('code');
  // RFC 9207: with the answer of another server, our code would go to that server.
  if (error === null && code !== null && query.get('iss') === issuer) return code;
  throw new Failure(
    EXIT.other,
    `The browser returned no valid answer${error === null ? '' : ` (${error.replaceAll(/[^\w-]/g, '')})`}. Run the command again.`,
  );
}
