/** What people read when an app has sent them here with a request that cannot be served. */

const SENTENCES: Readonly<Record<string, string>> = {
  invalid_client:
    'This app is not known here, or what it says of itself could not be read. Connect it again from ' +
    'its own settings.',
  invalid_redirect_uri:
    'This app asks to be answered at an address that it has not registered, so nobody is sent there.',
  server_error: 'Something went wrong on our side. Start again from the app.',
};

const SESSION_NOT_FOUND =
  'This request is over: it was answered already, was begun in another browser, or an hour has ' +
  'passed. Start again from the app.';

/** @param out as oidc-provider words it, for developers */
export function refusalSentence(out: { error: string; error_description?: string }): string {
  const { error, error_description: detail } = out;
  if (/session|expired/.test(detail ?? '')) return SESSION_NOT_FOUND;
  return (
    SENTENCES[error] ??
    `The app’s request cannot be served (${error}${detail ? `: ${detail}` : ''}).`
  );
}
