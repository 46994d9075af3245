import { callerOfPerson } from '../../../people/account/callers.ts';
import type { Caller } from '../../../people/account/caller.ts';
import { requireAccess } from '../../../people/account/access.ts';
import { badRequest, ServiceError } from '../../../errors.ts';
import { listShares } from '../../../territories/share/links.ts';
import {
  drawableOf,
  lookOf,
  metroPicture,
  refuseCompetitors,
} from '../../../territories/static/draw.ts';
import { parsePictureUrl, type PictureUrl } from '../../../territories/static/picture-url.ts';
import { signTarget, URL_DAYS } from '../../../territories/static/signed-url.ts';
import { listBrands } from '../../../territories/brands/list-brands.ts';
import type { Visit } from '../framework/visit.ts';
import type { Page } from '../framework/page.ts';
import { urlOfFields, type OwnSubjects } from './fields.ts';
import { BUILDER_PATH, builderPage, SIGN_IN_PATH, SIGN_PATH, type Result } from './view.ts';
import { readWholeNumber } from '../../../base/text/whole-number.ts';

/** Maximum number of listed subjects. Beyond that, people type the subject. */
const SHOWN = 200;

export const pictureBuilderRoute: Page<'anyone'> = {
  audience: 'anyone',
  path: BUILDER_PATH,
  async show(visit, form) {
    const fields = form.isUnsent ? visit.query : form.fields;
    const caller = await memberOf(visit);
    const result: Result = form.whole
      ? { kind: 'problem', message: form.whole }
      : await resultFor(visit, caller, fields);
    return pageWith(visit, caller, fields, result);
  },
  forms: [
    {
      path: SIGN_PATH,
      async submit(visit, fields) {
        const caller = await memberOf(visit);
        if (!caller) return { to: SIGN_IN_PATH };
        const { target, picture } = parsedUrl(visit, fields);
        await check(visit, caller, picture);
        const { min, max } = URL_DAYS;
        const days = readWholeNumber(fields.get('days') ?? `${URL_DAYS.default}`, min, max);
        if (days === undefined) {
          throw badRequest(`days: must be a whole number from ${min} to ${max}.`);
        }
        const expiresAt = new Date(Date.now() + days * 86_400_000);
        const signer = caller.signsAs;
        const signed = { target, signer, expiresAt };
        const url = await signTarget(caller.tenant, visit.signingSecrets, signed);
        const { width, height } = picture.size;
        const result: Result = { kind: 'picture', url, width, height, signedUntil: expiresAt };
        return { page: await pageWith(visit, caller, fields, result) };
      },
    },
  ],
};

/** Returns null for visitors who aren't signed in, and for members who can't use their organization yet */
async function memberOf({ db, session }: Visit): Promise<Caller | null> {
  if (!session?.organizationId) return null;
  const caller = await callerOfPerson(db, session.organizationId, session.person.id, {
    byCompany: session.company !== null,
  });
  return caller?.lacksSecondFactor ? null : caller;
}

const parsedUrl = ({ roots }: Visit, fields: URLSearchParams): PictureUrl =>
  parsePictureUrl(urlOfFields(fields), roots().api);

/** @throws ServiceError in the same cases as the operation */
async function check({ db }: Visit, caller: Caller, picture: PictureUrl['picture']): Promise<void> {
  requireAccess(caller);
  lookOf(picture);
  refuseCompetitors(picture);
  const { subject } = picture;
  if (subject.kind === 'metro') metroPicture(subject.metro, subject.vertical);
  else await drawableOf(db, { ...picture, subject }, caller);
}

async function resultFor(
  visit: Visit,
  caller: Caller | null,
  fields: URLSearchParams,
): Promise<Result> {
  try {
    const { target, picture } = parsedUrl(visit, fields);
    const { subject, size } = picture;
    if (subject.kind === 'metro') {
      lookOf(picture);
      metroPicture(subject.metro, subject.vertical);
      return { kind: 'picture', url: target, width: size.width, height: size.height };
    }
    if (!caller) return { kind: 'signed-out' };
    await check(visit, caller, picture);
    return { kind: 'private', url: target };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    return { kind: 'problem', message: error.message };
  }
}

async function pageWith(
  { links }: Visit,
  caller: Caller | null,
  fields: URLSearchParams,
  result: Result,
): Promise<string> {
  const own = caller ? await subjectsOf(caller) : { brands: [], shares: [] };
  return builderPage({ fields, own, result }, links);
}

async function subjectsOf({ tenant, brandScope }: Caller): Promise<OwnSubjects> {
  const [brands, shares] = await Promise.all([
    listBrands(tenant, brandScope, { limit: SHOWN }),
    listShares(tenant, brandScope, { status: 'active' }, { limit: SHOWN }),
  ]);
  return {
    brands: brands.rows,
    shares: shares.rows.map(({ code, title, brand }) => ({
      code,
      name: `${title ?? brand.name} (${code})`,
    })),
  };
}
