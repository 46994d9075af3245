/** Starts a company's OpenID Connect provider in a second process. */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

export interface Employee {
  /** The provider's id of the account. Default: a new one */
  id?: string;
  email: string;
  name?: string;
  verified?: boolean;
}

export interface CompanyProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Registers the service as the only client. Earlier redirect addresses stay; the last logout address counts. */
  register(addresses: { redirectUri: string; logoutUri: string }): Promise<void>;
  /** Adds an account. @returns its id */
  employ(employee: Employee): Promise<string>;
  /** Deletes an account. */
  remove(id: string): Promise<void>;
  rotateKeys(): Promise<void>;
  /** Replaces claims of identity tokens until `{}` is passed. */
  forge(claims: Record<string, unknown>): Promise<void>;
  useUnknownKey(uses: boolean): Promise<void>;
  /** Sets the difference of its clock, in seconds. */
  skew(seconds: number): Promise<void>;
  /** Closes every connection without an answer. */
  away(isAway: boolean): Promise<void>;
  logoutToken(options?: {
    claims?: Record<string, unknown>;
    without?: string[];
    unknownKey?: boolean;
  }): Promise<string>;
  /** Signs an account out by back-channel logout. @returns the number of calls */
  signOut(id: string): Promise<number>;
}

const PROGRAM = fileURLToPath(new URL('company-provider.mjs', import.meta.url));

/** Runs until the tests of the file have ended. */
export async function startCompanyProvider(): Promise<CompanyProvider> {
  const child = fork(PROGRAM, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let complaints = '';
  child.stderr!.on('data', (chunk) => (complaints += chunk));
  afterAll(() => void child.kill());
  const waiting = new Map<string, (answer: { result?: unknown; error?: string }) => void>();
  const issuer = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the provider exited:\n${complaints}`)));
    child.on('message', (message: { ready?: string; id?: string; result?: unknown }) => {
      if (message.ready !== undefined) resolve(message.ready);
      else waiting.get(message.id!)!(message);
    });
  });
  const call = <T = void>(command: string, value: unknown = null): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = randomUUID();
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id);
        if (error === undefined) resolve(result as T);
        else reject(new Error(error));
      });
      child.send({ id, command, value });
    });
  const clientId = 'territory';
  const clientSecret = randomUUID();
  return {
    issuer,
    clientId,
    clientSecret,
    register: ({ redirectUri, logoutUri }) =>
      call('client', {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        backchannel_logout_uri: logoutUri,
        backchannel_logout_session_required: true,
      }),
    async employ({ id = randomUUID(), ...employee }) {
      await call('person', { id, name: 'Alex Doe', ...employee });
      return id;
    },
    remove: (id) => call('remove', id),
    rotateKeys: () => call('rotateKeys'),
    forge: (claims) => call('forge', claims),
    useUnknownKey: (uses) => call('useUnknownKey', uses),
    skew: (seconds) => call('skew', seconds),
    away: (isAway) => call('away', isAway),
    logoutToken: (options = {}) => call<string>('logoutToken', options),
    signOut: (id) => call<number>('signOut', id),
  };
}
