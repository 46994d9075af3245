/** Failures of a provider, in words for people. */
import { ServiceError } from '../../../errors.ts';

/**
 * - `gone`: the provider ended the account's access, or the person must sign in there again
 * - `denied`: the provider sent the browser back without a code
 * - `refused`: the provider's answer doesn't pass a check
 * - `setup`: the settings don't fit the provider
 * - `away`: the provider can't be reached, or doesn't work
 */
type FailureKind = 'gone' | 'denied' | 'refused' | 'setup' | 'away';

export class ProviderFailure extends Error {
  override name = 'ProviderFailure';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Answers to a refresh token that is no longer valid, or that needs the person */
const ACCESS_ENDED = new Set([
  'invalid_grant',
  'interaction_required',
  'login_required',
  'consent_required',
  'account_selection_required',
]);

/** Answers to wrong settings */
const WRONG_SETTINGS: Readonly<Record<string, string>> = {
  invalid_client: 'The provider doesn’t accept the client ID or the client secret.',
  unauthorized_client: 'The provider doesn’t let this client sign people in.',
  unsupported_grant_type: 'The provider doesn’t support authorization codes for this client.',
  invalid_scope: 'The provider doesn’t let this client read the email address of people.',
};

const WRONG_CLOCK =
  'The provider’s answer is expired or from the future. Its clock or ours may be wrong.';
export const wrongClock = () => new ProviderFailure('refused', WRONG_CLOCK);

/** Checks of an answer that failed, by the library's codes */
const WRONG_ANSWERS: Readonly<Record<string, string>> = {
  OAUTH_JWT_CLAIM_COMPARISON_FAILED:
    'The provider’s answer is for another service, another provider, or another sign-in.',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: WRONG_CLOCK,
  OAUTH_KEY_SELECTION_FAILED: 'The provider’s answer is signed with a key that it doesn’t publish.',
  OAUTH_INVALID_RESPONSE: 'The provider’s answer doesn’t fit this sign-in.',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED:
    'The provider calls itself differently. Enter the issuer exactly as the provider states it.',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'The address of the issuer doesn’t describe an OpenID provider.',
  OAUTH_RESPONSE_IS_NOT_JSON: 'The address of the issuer doesn’t describe an OpenID provider.',
  OAUTH_PARSE_ERROR: 'The provider sends data that can’t be read.',
  OAUTH_MISSING_SERVER_METADATA: 'The provider’s description of itself is incomplete.',
};

const ABOUT_SETTINGS = new Set([
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_MISSING_SERVER_METADATA',
]);
/** A gateway that answers for a server that is down also causes these. */
const ABOUT_SERVER = new Set([
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

const AWAY = 'The provider can’t be reached, or takes too long to answer.';

/** Turns an error of the library or of the network into a failure. */
export async function providerFailure(error: unknown): Promise<ProviderFailure> {
  if (error instanceof ProviderFailure) return error;
  const { AuthorizationResponseError, ClientError, ResponseBodyError } =
    await import('openid-client');
  const cause = { cause: error };
  if (error instanceof ResponseBodyError) {
    const setup = WRONG_SETTINGS[error.error];
    if (setup !== undefined) return new ProviderFailure('setup', setup, cause);
    if (ACCESS_ENDED.has(error.error)) {
      return new ProviderFailure('gone', 'The provider no longer accepts this sign-in.', cause);
    }
    const kind = error.status >= 500 || error.status === 429 ? 'away' : 'refused';
    return new ProviderFailure(kind, `The provider answered “${plain(error.error)}”.`, cause);
  }
  if (error instanceof AuthorizationResponseError) {
    const what = error.error === 'access_denied' ? 'denied access' : `said “${plain(error.error)}”`;
    return new ProviderFailure('denied', `The provider ${what}.`, cause);
  }
  const words = error instanceof ClientError && WRONG_ANSWERS[error.code ?? ''];
  if (!words) return new ProviderFailure('away', AWAY, cause);
  const { code = '' } = error;
  const kind = ABOUT_SERVER.has(code) ? 'away' : ABOUT_SETTINGS.has(code) ? 'setup' : 'refused';
  return new ProviderFailure(kind, words, cause);
}

/** The provider chooses this text, so it is shortened to what an error code may contain. */
const plain = (text: string) => text.replaceAll(/[^\w.-]/g, '').slice(0, 60);

const NEXT_STEP: Readonly<Record<FailureKind, string>> = {
  away: 'Try again in a minute.',
  setup: 'An owner of the organization must change its company sign-in.',
  gone: 'Sign in again.',
  denied: 'Sign in again.',
  refused: 'Sign in again.',
};

/** The failure for people who sign in, with what to do. */
export function asServiceError(failure: ProviderFailure): ServiceError {
  const [status, code] =
    failure.kind === 'away' ? ([503, 'unavailable'] as const) : ([400, 'bad_request'] as const);
  const words = `${failure.message} ${NEXT_STEP[failure.kind]}`;
  return new ServiceError(status, code, words, { cause: failure });
}
