/** The page that builds the URL of a picture: fields, the picture, and the URL to copy. */
import { PAID_DAYS, PICTURE_UNITS } from '../../../territories/static/paid-pictures.ts';
import { URL_DAYS } from '../../../territories/static/signed-url.ts';
import { escapeHtml } from '../../../base/text/escape-html.ts';
import { copyable, selectField } from '../forms.ts';
import { FormState } from '../form-state.ts';
import { html, type Html } from '../html.ts';
import { renderPage } from '../layout.ts';
import type { Links } from '../links.ts';
import { builderFields, type OwnSubjects } from './fields.ts';

export const BUILDER_PATH = '/picture-builder';
export const SIGN_PATH = `${BUILDER_PATH}/signed`;
export const SIGN_IN_PATH = `/login?${new URLSearchParams({ next: BUILDER_PATH })}`;

export type Result =
  | { kind: 'problem'; message: string }
  /** A picture that can be shown: public or signed */
  | { kind: 'picture'; url: string; width: number; height: number; signedUntil?: Date }
  /** A picture that a member can sign */
  | { kind: 'private'; url: string }
  | { kind: 'signed-out' };

interface BuilderContent {
  fields: URLSearchParams;
  own: OwnSubjects;
  result: Result;
}

export function builderPage({ fields, own, result }: BuilderContent, links: Links): string {
  const state = new FormState(BUILDER_PATH, fields, { fields: {} });
  const main = html`<div class="builder">
    <h1>Picture builder</h1>
    <p class="lead">
      One URL is a picture of a metro, a brand, or ZIP codes. Choose what it shows, then paste it
      anywhere. <a href="${links.page('/docs/static-maps')}">How the URL works</a>
    </p>
    <div class="parts">
      <form action="${links.page(BUILDER_PATH)}" aria-label="Picture">
        ${builderFields(own, state)}
        <button class="button">Update picture</button>
      </form>
      <section id="result" aria-label="Result">${resultOf(result, fields, links)}</section>
    </div>
  </div>`;
  return renderPage(
    {
      title: 'Picture builder',
      description: 'Build the URL of a territory map, see the picture, and copy it.',
      path: BUILDER_PATH,
      assets: ['picture-builder/style.css', 'picture-builder/script.ts'],
      main,
    },
    links,
  );
}

function resultOf(result: Result, fields: URLSearchParams, links: Links): Html {
  switch (result.kind) {
    case 'problem':
      return html`<p class="notice bad" role="alert">${result.message}</p>`;
    case 'signed-out':
      return html`<p class="notice">
        Only pictures of launched metros are public. To show brands, ZIP codes, or states,
        <a href="${links.page(SIGN_IN_PATH)}">sign in</a>
        or send an API key.
      </p>`;
    case 'private':
      return signForm(result.url, fields, links);
    case 'picture':
      return pictureResult(result, links);
  }
}

const DAYS = [7, URL_DAYS.default, 90, URL_DAYS.max];

function signForm(url: string, fields: URLSearchParams, links: Links): Html {
  return html`<form method="post" action="${links.page(SIGN_PATH)}" class="sign" data-once>
      ${[...fields].map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      <p>
        This picture is private. Sign its URL so that others can see it. Drawing it costs
        ${PICTURE_UNITS} units. Drawing the same picture again is free for ${PAID_DAYS} days.
      </p>
      ${selectField(
        { name: 'days', label: 'Works for', value: String(URL_DAYS.default) },
        DAYS.map((days) => ({ value: String(days), label: `${days} days` })),
        FormState.EMPTY,
      )}
      <button class="button">Sign and draw</button>
    </form>
    ${copyable('picture-url', 'URL for programs with an API key', links.absoluteApi(url), 'more')}`;
}

function pictureResult(
  { url, width, height, signedUntil }: Extract<Result, { kind: 'picture' }>,
  links: Links,
): Html {
  const absolute = links.absoluteApi(url);
  const code = `<img src="${escapeHtml(absolute)}" width="${width}" height="${height}" alt="Territory map">`;
  return html`<figure>
      <img src="${links.api(url)}" width="${width}" height="${height}" alt="The picture" />
      ${
        signedUntil &&
        html`<figcaption>
          Signed until ${signedUntil.toISOString().slice(0, 10)}. Until then, everyone who has this
          URL sees the current picture.
          <a href="${links.page('/account/signed-urls')}">End signed URLs</a>
        </figcaption>`
      }
    </figure>
    ${copyable('picture-url', 'URL', absolute, 'more')}
    ${copyable('picture-html', 'HTML', code, 'more')}
    ${copyable('picture-markdown', 'Markdown', `![Territory map](${absolute})`, 'more')}`;
}
