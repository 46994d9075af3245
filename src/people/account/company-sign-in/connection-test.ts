/** Tests the settings at the provider before they are saved. */
import type { CompanyParts } from './parts.ts';
import { ProviderFailure } from './provider-failure.ts';
import { connectToProvider, GOOGLE, tryClient, type ProviderClient } from './provider.ts';

export interface TestStep {
  outcome: 'works' | 'warning' | 'fails';
  text: string;
}

export interface ConnectionTest {
  steps: TestStep[];
  works: boolean;
  /** As the provider spells it */
  issuer: string;
}

const works = (text: string): TestStep => ({ outcome: 'works', text });
const warning = (text: string): TestStep => ({ outcome: 'warning', text });

/** Reads the provider's description, and asks whether it knows the client. Changes nothing. */
export async function testConnection(
  { fetch }: Pick<CompanyParts, 'fetch'>,
  client: ProviderClient,
  redirectUri: string,
): Promise<ConnectionTest> {
  const steps: TestStep[] = [];
  let { issuer } = client;
  try {
    const config = await connectToProvider(client, fetch);
    const server = config.serverMetadata();
    ({ issuer } = server);
    steps.push(works('The provider answers and describes itself.'));
    if (server.code_challenge_methods_supported?.includes('S256') === false) {
      steps.push(warning('The provider doesn’t say that it supports PKCE with S256.'));
    }
    const offersRefresh = server.grant_types_supported?.includes('refresh_token') ?? false;
    const offersOffline = server.scopes_supported?.includes('offline_access') ?? false;
    steps.push(
      offersRefresh || offersOffline || issuer === GOOGLE
        ? works('The provider offers refresh tokens, so sign-ins can be checked.')
        : warning(
            'The provider doesn’t say that it offers refresh tokens. Without them, people sign in ' +
              'again every hour.',
          ),
    );
    steps.push(
      server['backchannel_logout_supported'] === true
        ? works('The provider supports back-channel logout.')
        : warning(
            'The provider doesn’t say that it supports back-channel logout. Sessions then end within an ' +
              'hour after an account ends.',
          ),
    );
    await tryClient(config, redirectUri);
    steps.push(works('The provider accepts the client ID and the client secret.'));
    return { steps, works: true, issuer };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    steps.push({ outcome: 'fails', text: error.message });
    return { steps, works: false, issuer };
  }
}
