import { html, type Html } from '../html.ts';

/** Replaces a form that the viewer may not use. @param refusal the reason */
export const refusalNotice = (refusal: string): Html =>
  html`<p class="notice">You can view this, but not change it. ${refusal}</p>`;
