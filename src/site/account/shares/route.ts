/** Share links, as people mint, pass on and revoke them. */
import { recordOf } from '../../../agent/share-record.ts';
import { badRequest } from '../../../errors.ts';
import { VERTICALS } from '../../../scoring/verticals.ts';
import {
  listShares,
  mintShare,
  revokeShare,
  SHARE_DAYS,
  SHARE_KINDS,
  SHARE_STATUSES,
  findShare,
} from '../../../share/links.ts';
import { sharePage, REVOKE_SHARE_PATH, SHARE_PATH, shareAddress } from './share/view.ts';
import { sharesPage, SHARES_PATH } from './view.ts';
import type { Links } from '../../links.ts';
import { brandNamed, listBrands } from '../../../territory/brands.ts';
import { changeHindrance, requireChange } from '../../../account/may-change.ts';
import type { PersonPage } from '../../framework/page.ts';
import { beside, checkedFields } from '../../framework/form-problems.ts';
import { residentOf } from '../viewer.ts';
import type { MemberVisit, PeopleParts } from '../../framework/visit.ts';

/** As many as the API keys' page offers; more are shared with the tool. */
const OFFERED_BRANDS = 200;

export const shares = ({ db }: PeopleParts): PersonPage<MemberVisit> => ({
  path: SHARES_PATH,
  show: async (visit, form) => {
    const { tenant, brandScope } = visit.caller;
    const asked = visit.query.get('status') ?? 'active';
    const status = SHARE_STATUSES.find((one) => one === asked);
    const cursor = visit.query.get('cursor') ?? undefined;
    const [common, links, brands] = await Promise.all([
      residentOf(db, visit),
      listShares(tenant, brandScope, { status }, { cursor }),
      listBrands(tenant, brandScope, { limit: OFFERED_BRANDS }),
    ]);
    return sharesPage(
      {
        ...common,
        form,
        status: status ?? 'all',
        shares: links.rows,
        nextCursor: links.nextCursor,
        isFirst: cursor === undefined,
        brands: brands.rows,
        chosenBrand: visit.query.get('brand'),
        hindrance: changeHindrance(visit.caller),
      },
      visit.links,
    );
  },
  forms: [
    {
      path: SHARES_PATH,
      submit: async ({ caller }, fields) => {
        requireChange(caller);
        const { tenant, brandScope, actor } = caller;
        const given = checkedFields({
          kind: () => chosen(SHARE_KINDS, fields.get('kind') ?? ''),
          title: () => shortTitle(fields.get('title') ?? ''),
          vertical: () => chosenVertical(fields.get('vertical') ?? ''),
          days: () => wholeDays(fields.get('days') ?? ''),
        });
        const named = brandNamed(tenant, brandScope, fields.get('brand') ?? '');
        const brand = await beside('brand', () => true, named);
        const hideBranding = fields.get('hide') === 'yes';
        const minted = tenant.transaction((tx) =>
          mintShare(tx, actor, brand, { ...given, hideBranding }),
        );
        const { link } = await beside('kind', ({ status }) => status === 409, minted);
        return { to: shareAddress(link.code), notice: 'share-minted' };
      },
    },
  ],
});

export const share = ({ db }: PeopleParts): PersonPage<MemberVisit> => ({
  path: SHARE_PATH,
  show: async (visit, form) => {
    const { tenant, brandScope } = visit.caller;
    const link = await findShare(tenant, brandScope, visit.params.share!);
    const hindrance = changeHindrance(visit.caller);
    const record = recordOf(link, rootsOf(visit.links));
    return sharePage(
      { ...(await residentOf(db, visit)), form, link, record, hindrance },
      visit.links,
    );
  },
  forms: [
    {
      path: REVOKE_SHARE_PATH,
      submit: async ({ caller, params }) => {
        requireChange(caller);
        const { tenant, brandScope, actor } = caller;
        const { link } = await tenant.transaction((tx) =>
          revokeShare(tx, brandScope, actor, params.share!),
        );
        return { to: shareAddress(link.code), notice: 'share-revoked' };
      },
    },
  ],
});

const rootsOf = (links: Links) => ({
  apiRoot: links.absoluteApi(''),
  siteRoot: links.absolute(''),
});

function chosen<Choice extends string>(choices: readonly Choice[], given: string): Choice {
  const choice = choices.find((one) => one === given);
  if (choice !== undefined) return choice;
  throw badRequest('Choose one of these.');
}

const chosenVertical = (given: string) =>
  given === ''
    ? undefined
    : chosen(
        VERTICALS.map(({ slug }) => slug),
        given,
      );

const LONGEST_TITLE = 80;

/** Left empty: the brand's name serves. */
function shortTitle(given: string): string | undefined {
  const title = given.trim();
  if (title.length > LONGEST_TITLE || /[\p{Cc}\p{Cs}]/u.test(title)) {
    throw badRequest(`A title has at most ${LONGEST_TITLE} characters, on one line.`);
  }
  return title === '' ? undefined : title;
}

function wholeDays(given: string): number {
  const { min, max } = SHARE_DAYS;
  const days = Number(given);
  if (/^\d+$/.test(given.trim()) && days >= min && days <= max) return days;
  throw badRequest(`A link is open for ${min} to ${max} days: give a whole number.`);
}
