/** The service check: a question, a form, and the answer with its map. */
import { checkQuestion } from '../../tools/support/share-record.ts';
import type { OpenShare } from '../../../territories/share/open-share.ts';
import { shareHeading } from '../../../territories/share/picture.ts';
import { isNearby, type ServedZip } from '../../../territories/share/served-zip.ts';
import { shareCheckPath, sharePagePath } from '../../../territories/share/token.ts';
import { SERVICE_NAME } from '../../../base/text/service-name.ts';
import { formatCount } from '../../../base/text/words.ts';
import { htmlDocument } from '../document.ts';
import { html, type Html } from '../html.ts';
import type { Links } from '../links.ts';
import { pictureFigure, type PictureSize } from '../map-figure.ts';
import { NOT_FOUND_BY_SEARCH } from '../shared-map/view.ts';

export const CHECK_PATH = '/s/{token}/check';
export const CHECK_PICTURE_PATH = '/s/{token}/check/{zip}.png';

interface ServiceCheck {
  /** Token or short code, as in the address */
  token: string;
  share: Pick<OpenShare, 'meta' | 'brand'>;
  /** The logo and the accent color of the brand */
  mark: Html | null;
  check: Check;
}

export type Check =
  | { kind: 'ask' }
  | { kind: 'malformed'; text: string }
  | { kind: 'answer'; served: ServedZip };

export function serviceCheckPage(content: ServiceCheck, links: Links): string {
  const { token, share, mark, check } = content;
  const question = checkQuestion(share.meta.brandName);
  const head = html`<title>${question}</title> ${NOT_FOUND_BY_SEARCH}`;
  const body = html`<main>
    ${mark}
    <h1>${question}</h1>
    ${form(content, links)} ${check.kind === 'answer' && answer(content, check.served, links)}
    <p class="more">
      <a href="${links.page(sharePagePath(token))}" target="_blank" rel="noopener noreferrer"
        >See the whole map</a
      >
      ${
        !share.meta.hideBranding &&
        html`<span class="quiet"
          >Made with
          <a href="${links.page('/')}" target="_blank" rel="noopener noreferrer"
            >${SERVICE_NAME}</a
          ></span
        >`
      }
    </p>
  </main>`;
  return htmlDocument(
    { head, body, kind: 'service-check', assets: ['service-check/style.css'] },
    links,
  );
}

function form({ token, check }: ServiceCheck, links: Links): Html {
  const value =
    check.kind === 'answer' ? check.served.zip : check.kind === 'malformed' ? check.text : '';
  const problem = check.kind === 'malformed';
  return html`<form action="${links.page(shareCheckPath(token))}">
    <label for="zip">ZIP code</label>
    <div>
      <input
        id="zip"
        name="zip"
        value="${value}"
        inputmode="numeric"
        autocomplete="postal-code"
        pattern="\\s*[0-9]{5}(-[0-9]{4})?\\s*"
        title="Five digits, such as 75201"
        maxlength="12"
        required
        ${problem && html`aria-invalid="true" aria-describedby="problem"`}
      />
      <button class="button">Check</button>
    </div>
    ${problem && html`<p id="problem" class="problem">Enter five digits, such as 75201.</p>`}
  </form>`;
}

function answer({ token, share }: ServiceCheck, served: ServedZip, links: Links): Html {
  const { zip, status } = served;
  const { headline, detail } = sentences(served, share.meta.brandName);
  const picture = ({ size, style, ratio }: PictureSize) => {
    const query = new URLSearchParams({
      size,
      ...(style && { style }),
      ...(ratio && { ratio: String(ratio) }),
    });
    return links.page(`${shareCheckPath(token)}/${zip}.png?${query}`);
  };
  return html`<div class="answer ${status ?? 'none'}" role="status">
      <p class="headline">${headline}</p>
      ${detail && html`<p>${detail}</p>`}
    </div>
    ${
      isNearby(served) &&
      pictureFigure(
        {
          size: '600x315',
          alt: `Map of ${zip} and the part of the ${shareHeading(share).title} territory around it`,
          first: true,
        },
        picture,
      )
    }`;
}

function sentences(
  { zip, place, status, absence, nearest }: ServedZip,
  brandName: string | null,
): { headline: string; detail: string | null } {
  const where = place ? `${zip} (${place})` : zip;
  const [brand, serves] = brandName === null ? ['we', 'serve'] : [brandName, 'serves'];
  const near =
    nearest &&
    `The nearest ZIP code that ${brand} ${serves} is ${nearest.zip}` +
      `${nearest.place && ` (${nearest.place})`}, ${distance(nearest.miles)} away.`;
  if (status === 'live') return { headline: `Yes, ${brand} ${serves} ${where}.`, detail: null };
  if (status === 'pending') {
    return { headline: `Not yet: ${where} is planned.`, detail: near };
  }
  if (absence === 'mail') {
    return {
      headline: `${where} is for mail only, such as PO boxes.`,
      detail: 'Enter the ZIP code of your street address.',
    };
  }
  if (absence === 'unknown') {
    return { headline: `There is no ZIP code ${zip}.`, detail: 'Check its digits.' };
  }
  const doesNot = brandName === null ? 'we don’t serve' : `${brandName} doesn’t serve`;
  return { headline: `No, ${doesNot} ${where}.`, detail: near };
}

/**
 * Formats a distance between the centers of ZIP codes. Below a mile, such distances are too inexact to
 * state.
 */
const distance = (miles: number) =>
  miles < 1.5 ? 'about a mile' : `about ${formatCount(miles)} miles`;
