/**
 * The page of a locator: one field, and the answer. Customers of brands see it on their phones, and in frames of other
 * sites. It needs no script and sets no cookie.
 */
import { accentOn } from '../../../maps/cartography/brand-look.ts';
import { contrast } from '../../../render/contrast.ts';
import type { LocatorAnswer } from '../../../territories/serving/ask-locator.ts';
import { SENTENCES } from '../../../territories/serving/locator-sentences.ts';
import {
  LANGUAGE_NAMES,
  LANGUAGES,
  wordsIn,
  type Language,
} from '../../../territories/serving/locator-words.ts';
import type { OpenLocator } from '../../../territories/serving/locators.ts';
import { locatorPagePath } from '../../../territories/share/token.ts';
import { directionsUrl, phoneUrl } from '../../http/locators/operations.ts';
import { paperOf } from '../brand-mark.ts';
import { htmlDocument } from '../document.ts';
import { html, styleElement, type Html } from '../html.ts';
import type { Links } from '../links.ts';
import { pictureFigure } from '../map-figure.ts';
import { NOT_FOUND_BY_SEARCH } from '../shared-map/view.ts';

export const LOCATOR_PATH = '/find/{token}';
export const LOCATOR_PICTURE_PATH = '/find/{token}/map.png';

/** How a visitor sees a locator */
export interface LocatorLook {
  /** Token or short code, as in the address */
  token: string;
  language: Language;
  /** Whether it's shown in a frame of another page */
  embedded: boolean;
  /** Whether visitors may also enter an address */
  geocodes: boolean;
}

export interface LocatorContent extends LocatorLook {
  locator: OpenLocator['locator'];
  /** What the visitor entered; empty before that */
  where: string;
  answer: LocatorAnswer | null;
  /** Why there is no answer */
  problem: string | null;
}

export function locatorPage(content: LocatorContent, links: Links): string {
  const { locator, language, geocodes, answer } = content;
  const { heading } = wordsIn(locator.words, language, geocodes);
  const body = html`<h1>${heading}</h1>
    ${form(content, links)} ${answer && answerSection(content, answer, links)}
    ${
      locator.candidateEmail !== null &&
      html`<p class="more">
        <a href="${links.page(addressOf(content, '/available'))}"
          >${SENTENCES[language].candidates.link}</a
        >
      </p>`
    }`;
  const title = answer ? `${answer.message} · ${heading}` : heading;
  return locatorDocument(content, { title, body, path: '', where: content.where }, links);
}

interface Shown {
  title: string;
  body: Html;
  /** After the locator's path */
  path: string;
  where: string;
}

/** The document around the pages of a locator */
export function locatorDocument(
  content: LocatorLook & Pick<LocatorContent, 'locator'>,
  { title, body, path, where }: Shown,
  links: Links,
): string {
  const { language, embedded, locator } = content;
  const style = accentStyle(locator.accent);
  const head = html`<title>${title}</title> ${NOT_FOUND_BY_SEARCH}
    ${LANGUAGES.map(
      (one) =>
        html`<link
          rel="alternate"
          hreflang="${one}"
          href="${links.page(addressOf({ ...content, language: one }, path))}"
        />`,
    )}
    ${style !== undefined && styleElement(style)}`;
  const others = LANGUAGES.filter((one) => one !== language);
  const main = html`<main>
    <nav class="languages" aria-label="${LANGUAGE_NAMES[others[0]!]}">
      ${others.map(
        (one) =>
          html`<a
            lang="${one}"
            hreflang="${one}"
            href="${links.page(addressOf({ ...content, language: one }, path, where))}"
            >${LANGUAGE_NAMES[one]}</a
          >`,
      )}
    </nav>
    ${body}
  </main>`;
  const kind = `locator${embedded ? ' embedded' : ''}`;
  return htmlDocument({ head, body: main, language, kind, assets: ['locator/style.css'] }, links);
}

/** The same page for unknown and revoked locators, so that it doesn't reveal the cause. */
export function closedLocatorPage({ language, embedded }: LocatorLook, links: Links): string {
  const { closedTitle, closed } = SENTENCES[language];
  const head = html`<title>${closedTitle}</title> ${NOT_FOUND_BY_SEARCH}`;
  const body = html`<main>
    <h1>${closedTitle}</h1>
    <p class="lead">${closed}</p>
  </main>`;
  const kind = `locator${embedded ? ' embedded' : ''}`;
  return htmlDocument({ head, body, language, kind, assets: ['locator/style.css'] }, links);
}

/** @param path after the locator's. @param where what the visitor entered */
export function addressOf(
  { token, language, embedded }: LocatorLook,
  path = '',
  where = '',
): string {
  const query = new URLSearchParams({
    lang: language,
    ...(embedded && { embed: '1' }),
    ...(where !== '' && { where }),
  });
  return `${locatorPagePath(token)}${path}?${query}`;
}

/** Returns the accent color as CSS for both color schemes, on one line, since headers contain its hash. */
export function accentStyle(accent: string | null): string | undefined {
  if (accent === null) return undefined;
  const rule = (color: string) => `body{--accent:${color};--on-accent:${inkOn(color)}}`;
  const dark = rule(accentOn(accent, paperOf('dark')));
  return `${rule(accent)}@media (prefers-color-scheme:dark){${dark}}`;
}

/** One of them has a contrast of at least 4.5:1 with any color. */
const inkOn = (color: string) => (contrast('#ffffff', color) >= 4.5 ? '#ffffff' : '#000000');

/**
 * Attributes that give an element the focus when the page opens. Browsers refuse that in frames of other sites, where
 * the fragment of the form's address does it.
 */
export const firstFocus = ({ embedded }: Pick<LocatorLook, 'embedded'>): Html | false =>
  !embedded && html`autofocus`;

/** Attributes of an answer. It gets the focus, so that screen readers start with it, and keyboards continue from there. */
export const answerAttributes = (look: LocatorLook): Html =>
  html`id="answer" role="status" tabindex="-1" ${firstFocus(look)}
  aria-label="${SENTENCES[look.language].answer}"`;

/** The address of a form that asks. @param path after the locator's */
export const askAddress = ({ token, embedded }: LocatorLook, path = ''): string =>
  `${locatorPagePath(token)}${path}${embedded ? '#answer' : ''}`;

/** What the visitor chose, for a form */
export const chosenFields = ({ language, embedded }: LocatorLook): Html =>
  html`<input type="hidden" name="lang" value="${language}" />
    ${embedded && html`<input type="hidden" name="embed" value="1" />`}`;

function form(content: LocatorContent, links: Links): Html {
  const { locator, language, geocodes } = content;
  const { label, button } = wordsIn(locator.words, language, geocodes);
  return html`<form class="ask" action="${links.page(askAddress(content))}">
    ${chosenFields(content)} ${whereField(content, { label, button })}
  </form>`;
}

/** The field for a place, its button, and its problem */
export function whereField(
  {
    where,
    problem,
    geocodes,
    embedded,
  }: Pick<LocatorContent, 'where' | 'problem' | 'geocodes' | 'embedded'>,
  { label, button }: { label: string; button: string },
): Html {
  return html`<label for="where">${label}</label>
    <div class="ask-line">
      <input
        id="where"
        name="where"
        value="${where}"
        ${geocodes ? html`autocomplete="street-address"` : html`inputmode="numeric" autocomplete="postal-code"`}
        maxlength="200"
        placeholder="75201"
        enterkeyhint="search"
        required
        ${problem !== null && html`aria-invalid="true" aria-describedby="problem" ${firstFocus({ embedded })}`}
      />
      <button class="button">${button}</button>
    </div>
    ${problem !== null && html`<p id="problem" class="problem" role="alert">${problem}</p>`}`;
}

function answerSection(content: LocatorContent, answer: LocatorAnswer, links: Links): Html {
  return html`<section class="answer ${answer.status}" ${answerAttributes(content)}>
    <p class="headline">${answer.message}</p>
    ${answer.brands.map((_, at) => contact(content, answer, at, links))}
  </section>`;
}

/** @param at position of the brand in the answer */
function contact(
  content: LocatorContent,
  { brands }: LocatorAnswer,
  at: number,
  links: Links,
): Html {
  const { name, phone, url, nearestPlace } = brands[at]!;
  const isNamed = brands.length > 1;
  const { language } = content;
  const { call, website } = SENTENCES[language];
  const number = phone ?? nearestPlace?.phone ?? null;
  const page = url ?? nearestPlace?.url ?? null;
  return html`<div class="contact">
    ${isNamed && html`<h2>${name}</h2>`}
    <p class="reach">
      ${
        number !== null &&
        html`<a class="button" href="${phoneUrl(number)}"
          ><span>${call}</span> <span class="number">${number}</span></a
        >`
      }
      ${
        page !== null &&
        html`<a class="button plain" href="${page}" target="_blank" rel="noopener noreferrer"
          >${website}${isNamed && html`<span class="visually-hidden"> ${name}</span>`}</a
        >`
      }
    </p>
    ${nearestPlace && place(content, nearestPlace, at, links)}
  </div>`;
}

function place(
  content: LocatorContent,
  near: NonNullable<LocatorAnswer['brands'][number]['nearestPlace']>,
  at: number,
  links: Links,
): Html {
  const { language } = content;
  const { nearest, hours, directions, away, map } = SENTENCES[language];
  return html`<div class="place">
    <div class="place-text">
      <p class="place-label">${nearest}</p>
      <p class="place-name">${near.name}</p>
      ${near.address !== null && html`<p>${near.address}</p>`}
      ${near.hours !== null && html`<p><span class="visually-hidden">${hours}: </span>${near.hours}</p>`}
      <p class="quiet">${away(near.miles)}</p>
      <p>
        <a href="${directionsUrl(near)}" target="_blank" rel="noopener noreferrer"
          >${directions}<span class="visually-hidden"> ${near.name}</span></a
        >
      </p>
    </div>
    ${pictureFigure({ size: '600x315', alt: map(near.name) }, ({ size, style, ratio }) => {
      const query = new URLSearchParams({
        where: content.where,
        brand: String(at),
        size,
        ...(style && { style }),
        ...(ratio && { ratio: String(ratio) }),
      });
      return links.page(`${locatorPagePath(content.token)}/map.png?${query}`);
    })}
  </div>`;
}
