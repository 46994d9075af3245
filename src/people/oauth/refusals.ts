/** Messages for people who arrive from an app with an invalid request. */

const SENTENCES: Readonly<Record<string, string>> = {
  invalid_client:
    'This app isn’t registered here, or its description can’t be read. Connect it again from the ' +
    'app’s settings.',
  invalid_redirect_uri:
    'This app wants to send you to an address that it has not registered. For your safety, you stay ' +
    'here. Connect the app again from its settings.',
  server_error: 'Something went wrong on our side. Start again from the app.',
};

const SESSION_NOT_FOUND =
  'This request is no longer valid. It was already answered, was started in another browser, or is ' +
  'more than an hour old. Start again from the app.';

/** @param out oidc-provider's error, whose text is meant for developers */
export function refusalSentence(out: { error: string; error_description?: string }): string {
  const { error, error_description: detail } = out;
  if (/session|expired/.test(detail ?? '')) return SESSION_NOT_FOUND;
  return (
    SENTENCES[error] ??
    `The app sent an invalid request (${error}${detail ? `: ${detail}` : ''}). Start again from the app.`
  );
}
