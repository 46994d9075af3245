/** Buttons that create or use a passkey and send the browser's response with their form. */
import type * as library from '@simplewebauthn/browser';
import { data, find, findAll } from './dom.ts';

declare global {
  var SimpleWebAuthnBrowser: typeof library;
}

for (const form of findAll('form[data-passkey]', HTMLFormElement)) {
  const button = find('button', HTMLButtonElement, form);
  const status = find('[role=status]', HTMLElement, form);
  const response = find('input[data-response]', HTMLInputElement, form);
  await load(data(form, 'library'));
  if (!SimpleWebAuthnBrowser.browserSupportsWebAuthn()) {
    status.textContent = 'This browser doesn’t support passkeys.';
    continue;
  }
  const send = async () => {
    try {
      response.value = JSON.stringify(await run(form));
      form.submit();
    } catch (error) {
      status.textContent = explain(error);
    }
  };
  button.hidden = false;
  status.textContent = '';
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    status.textContent = 'Follow your browser’s instructions.';
    void send();
  });
}

function run(form: HTMLFormElement): Promise<object> {
  const optionsJSON = JSON.parse(data(form, 'options'));
  return data(form, 'passkey') === 'create'
    ? SimpleWebAuthnBrowser.startRegistration({ optionsJSON })
    : SimpleWebAuthnBrowser.startAuthentication({ optionsJSON });
}

function explain(error: unknown): string {
  const { name } = error as Error;
  if (name === 'InvalidStateError') return 'This device already has a passkey for your account.';
  if (name === 'SecurityError')
    return 'Passkeys don’t work at this address. Open the service at its usual address.';
  return 'No passkey was used. Try again or choose another method.';
}

function load(library: string): Promise<void> {
  if ('SimpleWebAuthnBrowser' in globalThis) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = library;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', reject);
    document.head.append(script);
  });
}
