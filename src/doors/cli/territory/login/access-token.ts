/** Reads the access token of a stored sign-in, and renews it before it expires. */
import { EXIT, Failure } from '../failure.ts';
import { isEnded, requestTokens } from './oauth.ts';
import { withLock, changeSignIns, readSignIns, type SignIn } from './sign-ins.ts';

/** Time before the end at which a token is renewed, so that it doesn't expire during a call */
const MARGIN_MS = 120_000;

const isFresh = ({ expiresAt }: SignIn) => Date.parse(expiresAt) > Date.now() + MARGIN_MS;

/** Returns the token, or undefined without a sign-in to the service. @throws Failure if the sign-in has ended */
export async function accessTokenFor(
  api: string,
  env: Record<string, string | undefined>,
): Promise<string | undefined> {
  const stored = readSignIns(env).services[api];
  if (!stored || isFresh(stored)) return stored?.accessToken;
  return withLock(env, async () => {
    // Another process may have renewed the token meanwhile.
    const known = readSignIns(env).services[api];
    if (!known || isFresh(known)) return known?.accessToken;
    const { clientId, tokenUrl, refreshToken } = known;
    try {
      if (refreshToken === null) throw signInEnded(api);
      const fields = {
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: refreshToken,
      };
      const tokens = await requestTokens(tokenUrl, fields);
      await changeSignIns(env, ({ services }) => {
        services[api] = { ...known, ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
      });
      return tokens.accessToken;
    } catch (error) {
      if (!isEnded(error)) throw error;
      await changeSignIns(env, ({ services }) => void delete services[api]);
      throw signInEnded(api);
    }
  });
}

const signInEnded = (api: string) =>
  new Failure(EXIT.notAllowed, `Your sign-in to ${api} has ended. Sign in again: territory login`);
