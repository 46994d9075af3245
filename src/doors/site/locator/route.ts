/** The pages of a locator: who serves a place, the map of the nearest place, and the form for candidates. */
import { z } from 'zod';
import type { Roots } from '../../../base/contract/openapi/about.ts';
import { operation, type Operation, type Request } from '../../../base/contract/operation.ts';
import { PreparedAnswer } from '../../../base/contract/prepared.ts';
import { BASEMAP_LAYERS } from '../../../data/basemap/features.ts';
import { notFound, ServiceError, TooManyRequests } from '../../../errors.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import {
  askAvailability,
  askLocator,
  NO_CANDIDATES,
  readQuestion,
  type LocatorParts,
} from '../../../territories/serving/ask-locator.ts';
import { candidateProblems, sendCandidate } from '../../../territories/serving/locator-mail.ts';
import { drawNearestPlace } from '../../../territories/serving/locator-map.ts';
import { SENTENCES } from '../../../territories/serving/locator-sentences.ts';
import { languageOf } from '../../../territories/serving/locator-words.ts';
import { openLocator, type OpenLocator } from '../../../territories/serving/locators.ts';
import type { AnswerCaches } from '../../http/answers/answer-caches.ts';
import type { Headers } from '../../http/answers/common-headers.ts';
import type { FormFields } from '../../http/requests/form-fields.ts';
import { pictureOptions, pictureQuery } from '../../http/requests/picture-query.ts';
import { tokenParam } from '../../http/shared/answers.ts';
import { unlisted } from '../../http/unlisted.ts';
import { FORM_BODY } from '../framework/form.ts';
import { Links } from '../links.ts';
import { HTML } from '../media-types.ts';
import { linkHeaders } from '../shared-link.ts';
import { CANDIDATES_PATH, candidatesPage, type CandidatesContent } from './candidates-view.ts';
import {
  accentStyle,
  addressOf,
  closedLocatorPage,
  LOCATOR_PATH,
  LOCATOR_PICTURE_PATH,
  locatorPage,
  type LocatorLook,
} from './view.ts';

interface LocatorPageParts extends LocatorParts {
  renderer: MapRenderer;
  roots: () => Roots;
  caches: AnswerCaches;
  /** Whether the service sends email */
  sendsMail: boolean;
}

/** Other values than expected mean the default, because people share and shorten addresses. */
const text = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? value : ''));

const lookFields = { lang: text, embed: text };

const PAGE = { description: 'The page', type: HTML, cached: true } as const;

const LOCATOR_PAGE = {
  limit: 'shared',
  params: z.object({ token: tokenParam }),
  answers: { 200: PAGE, 400: PAGE, 404: PAGE, 429: PAGE, 503: PAGE },
  errors: [503],
} as const;

type PageStatus = keyof typeof LOCATOR_PAGE.answers;

const MAX_WHERE = 200;

export function locatorRoutes(parts: LocatorPageParts): Operation[] {
  const { db, renderer, roots, caches, sendsMail } = parts;
  const geocodes = parts.geocoder !== undefined;

  const lookOf = (
    token: string,
    { lang, embed }: { lang: string; embed: string },
    { headers }: Pick<Request, 'headers'>,
  ): LocatorLook => ({
    token,
    language: languageOf(lang || undefined, headers['accept-language']),
    embedded: embed === '1',
    geocodes,
  });

  const page = operation({
    ...unlisted('get', LOCATOR_PATH),
    ...LOCATOR_PAGE,
    query: z.object({ ...lookFields, where: text }),
    handle: (request) => {
      const { params, query, client } = request;
      const look = lookOf(params.token, query, request);
      return orClosed(look, async (open, links) => {
        const where = query.where.trim().slice(0, MAX_WHERE);
        const content = { ...look, locator: open.locator, where, answer: null, problem: null };
        if (where === '') return [200, locatorPage(content, links)];
        const { malformed } = SENTENCES[look.language];
        const question = readQuestion(where, geocodes);
        if (!question) {
          return [400, locatorPage({ ...content, problem: malformed(geocodes) }, links)];
        }
        const asked = askLocator(parts, open, question, look.language, client);
        return answered(
          look,
          asked,
          (answer) => locatorPage({ ...content, answer }, links),
          (problem) => locatorPage({ ...content, problem }, links),
        );
      });
    },
  });

  const candidates = operation({
    ...unlisted('get', CANDIDATES_PATH),
    ...LOCATOR_PAGE,
    query: z.object({ ...lookFields, where: text, sent: text }),
    handle: (request) => {
      const { params, query, client } = request;
      const look = lookOf(params.token, query, request);
      return orClosed(look, async (open, links) => {
        const content = candidatesOf(look, open, query.where.trim().slice(0, MAX_WHERE));
        if (query.sent === '1') return [200, candidatesPage({ ...content, isSent: true }, links)];
        if (content.where === '') return [200, candidatesPage(content, links)];
        const question = readQuestion(content.where, false);
        if (!question || !('zip' in question)) {
          const problem = SENTENCES[look.language].malformed(false);
          return [400, candidatesPage({ ...content, problem }, links)];
        }
        const asked = askAvailability(parts, open, question.zip, look.language, client);
        return answered(
          look,
          asked,
          (answer) => candidatesPage({ ...content, answer }, links),
          (problem) => candidatesPage({ ...content, problem }, links),
        );
      });
    },
  });

  const send = operation({
    ...unlisted('post', CANDIDATES_PATH),
    ...LOCATOR_PAGE,
    answers: { ...LOCATOR_PAGE.answers, 303: { description: 'Redirect', empty: true } },
    // Anyone may send it from anywhere, and it changes nothing but the organization's inbox.
    form: true,
    body: FORM_BODY,
    async handle(request) {
      const { params, body, client } = request;
      const fields = body as FormFields;
      const field = (name: string) => (fields.get(name) ?? '').trim();
      const look = lookOf(params.token, { lang: field('lang'), embed: field('embed') }, request);
      const sentPage = {
        status: 303,
        headers: { ...HEADERS, Location: sentAddress(look) },
        body: '',
      } as const;
      // People don't see this field. Programs that fill in all fields get no hint that nothing was sent.
      if (field('website') !== '') return sentPage;
      const form = {
        name: field('name'),
        email: field('email'),
        phone: field('phone'),
        message: field('message').replaceAll('\r', ''),
        zip: /^\d{5}$/.exec(field('zip'))?.[0] ?? '',
      };
      let isSent = false;
      const shown = await orClosed(look, async (open, links) => {
        const content = { ...candidatesOf(look, open, form.zip), form };
        const problems = candidateProblems(form, look.language);
        if (Object.keys(problems).length > 0) {
          return [400, candidatesPage({ ...content, formProblems: problems }, links)];
        }
        const { tooManyForms, full } = SENTENCES[look.language].candidates;
        try {
          await sendCandidate(parts, open, form, client);
          isSent = true;
          return [200, ''];
        } catch (error) {
          if (!(error instanceof ServiceError) || (error.status !== 429 && error.status !== 503)) {
            throw error;
          }
          const whole = error.status === 429 ? tooManyForms : full;
          return [error.status, candidatesPage({ ...content, formProblems: { whole } }, links)];
        }
      });
      return isSent ? sentPage : shown;
    },
  });

  const sentAddress = (look: LocatorLook) =>
    new Links(roots()).page(`${addressOf(look, '/available')}&sent=1`);

  function candidatesOf(
    look: LocatorLook,
    { locator, organization }: OpenLocator,
    where: string,
  ): CandidatesContent {
    if (locator.candidateEmail === null) throw notFound(NO_CANDIDATES);
    return {
      ...look,
      locator,
      organization,
      where,
      sendsMail,
      answer: null,
      problem: null,
      form: null,
      formProblems: {},
      isSent: false,
    };
  }

  /** @param make returns the status and the page */
  async function orClosed(
    look: LocatorLook,
    make: (open: OpenLocator, links: Links) => Promise<[number, string]>,
  ) {
    const links = new Links(roots());
    const answerOf = (status: number, body: string, accent: string | null) => ({
      status: status as PageStatus,
      headers: {
        ...HEADERS,
        ...linkHeaders({ ...FRAMED, style: accentStyle(accent) }),
        'Content-Language': look.language,
      },
      body: new PreparedAnswer(body, HTML),
    });
    try {
      const open = await openLocator(db, look.token);
      const [status, body] = await make(open, links);
      return answerOf(status, body, open.locator.accent);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 404) throw error;
      return answerOf(404, closedLocatorPage(look, links), null);
    }
  }

  /** Shows refusals on the page, in the visitor's language. */
  async function answered<T>(
    { language }: LocatorLook,
    asked: Promise<T>,
    show: (answer: T) => string,
    refuse: (problem: string) => string,
  ): Promise<[number, string]> {
    try {
      return [200, show(await asked)];
    } catch (error) {
      const { tooMany, failed } = SENTENCES[language];
      if (error instanceof TooManyRequests) return [429, refuse(tooMany)];
      if (error instanceof ServiceError && error.status === 503) return [503, refuse(failed)];
      throw error;
    }
  }

  const pictures = caches.answers(
    {
      name: 'locator pictures',
      type: PNG,
      data: renderer.data(db, ['boundaries', ...BASEMAP_LAYERS]),
    },
    HEADERS,
  );
  const picture = operation({
    ...unlisted('get', LOCATOR_PICTURE_PATH),
    limit: 'map-image',
    params: z.object({ token: tokenParam }),
    query: pictureQuery.extend({ where: text, brand: text }),
    answers: { 200: { description: 'The picture', cached: true, type: PNG } },
    errors: [400, 404, 503],
    async handle({ params, query: { where, brand, ...query }, client }) {
      const look = pictureOptions(query);
      const open = await openLocator(db, params.token);
      const question = readQuestion(where, geocodes);
      if (!question) throw notFound('There is no map for this place.');
      // The same question as the page's, so it's free.
      const { brands } = await askLocator(parts, open, question, 'en', client);
      const near = brands[Number(brand)]?.nearestPlace;
      if (!near) throw notFound('There is no map for this place.');
      const { kind, name, lng, lat } = near;
      return pictures(JSON.stringify([kind, name, lng, lat, look]), (data) =>
        drawNearestPlace(data, renderer, near, look),
      );
    },
  });

  return [page, candidates, send, picture];
}

const PNG = 'image/png';

/** Each answer depends on the visitor, and a revoked locator closes at once. */
const HEADERS: Headers = {
  'Cache-Control': 'private, no-cache',
  'X-Robots-Tag': 'noindex',
  Vary: 'Accept-Language',
};

/** Any site may frame these pages, because they need no script and no cookie. */
const FRAMED = { hasMap: false, hasForm: true, mayFrame: true } as const;

export const locatorHeaders = (): Headers => linkHeaders(FRAMED);
