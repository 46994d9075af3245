import { html, type Html } from '../html.ts';

/** Explains why the viewer may not use the forms of a page. Shows nothing if they may. */
export const refusalNotice = (refusal: string | undefined): Html | false =>
  refusal !== undefined &&
  html`<p class="notice">You can view this, but not change it. ${refusal}</p>`;
