/** A form whose button lets the browser create or use a passkey. It needs `browser/passkey.ts`. */
import { html, type Html, type HtmlValue } from './html.ts';
import type { Links } from './links.ts';
import { webAuthnPath } from './webauthn.ts';

export const PASSKEY_SCRIPT = 'browser/passkey.ts';

/** Field with the browser's response, as JSON */
export const PASSKEY_FIELD = 'passkey';

interface PasskeyForm {
  action: string;
  ceremony: 'create' | 'use';
  /** The server's options for the browser's passkey API, as JSON */
  options: object;
  label: string;
  look?: 'button' | 'quiet-button';
  /** Field with the browser's response. Default: `PASSKEY_FIELD` */
  field?: string;
  /** Other fields of the form */
  fields?: HtmlValue;
}

/** The script shows the button. Without it, the text explains what is missing. */
export function passkeyForm(form: PasskeyForm, links: Links): Html {
  const { action, ceremony, options, label, look = 'button', field = PASSKEY_FIELD, fields } = form;
  return html`<form
    method="post"
    action="${action}"
    data-passkey="${ceremony}"
    data-options="${JSON.stringify(options)}"
    data-library="${links.page(webAuthnPath)}"
  >
    ${fields}
    <input type="hidden" name="${field}" data-response />
    <button class="${look}" hidden>${label}</button>
    <p class="hint" role="status">Passkeys need a browser that runs JavaScript.</p>
  </form>`;
}
