import { changeRefusal, requireChange } from '../../../account/access.ts';
import { badRequest } from '../../../errors.ts';
import { VERTICALS } from '../../../scoring/verticals.ts';
import {
  listShares,
  mintShare,
  SHARE_DAYS,
  SHARE_KINDS,
  SHARE_STATUSES,
} from '../../../share/links.ts';
import { findBrand } from '../../../territory/brands.ts';
import { listBrands } from '../../../territory/list-brands.ts';
import { checkedFields, isConflict, oneOf, showAtField } from '../../framework/form-problems.ts';
import type { Page } from '../../framework/page.ts';
import { shareAddress } from './share/view.ts';
import { sharesPage, SHARES_PATH } from './view.ts';
import { readWholeNumber } from '../../../text/whole-number.ts';

/** Maximum number of brands in the form, as on the page of API keys. Beyond that, use the API. */
const OFFERED_BRANDS = 200;

export const sharesRoute: Page<'account'> = {
  audience: 'account',
  path: SHARES_PATH,
  async show({ caller, query, links }, form) {
    const { tenant, brandScope } = caller;
    const chosen = query.get('status') ?? 'active';
    const status = SHARE_STATUSES.find((one) => one === chosen);
    const cursor = query.get('cursor') ?? undefined;
    const [page, { rows: brands }] = await Promise.all([
      listShares(tenant, brandScope, { status }, { cursor }),
      listBrands(tenant, brandScope, { limit: OFFERED_BRANDS }),
    ]);
    const refusal = changeRefusal(caller);
    return sharesPage({ form, status: status ?? 'all', page, query, brands, refusal }, links);
  },
  forms: [
    {
      async submit({ caller }, fields) {
        requireChange(caller);
        const { tenant, brandScope, actor } = caller;
        const entered = checkedFields({
          kind: () => oneOf(SHARE_KINDS, fields.get('kind')),
          title: () => readTitle(fields.get('title') ?? ''),
          vertical: () => readVertical(fields.get('vertical') ?? ''),
          days: () => readDays(fields.get('days') ?? ''),
        });
        const chosen = findBrand(tenant, brandScope, fields.get('brand') ?? '');
        const brand = await showAtField('brand', () => true, chosen);
        const hideBranding = fields.get('hide') === 'yes';
        const minted = tenant.transaction((tx) =>
          mintShare(tx, actor, brand, { ...entered, hideBranding }),
        );
        const { link } = await showAtField('kind', isConflict, minted);
        return { to: shareAddress(link.code), notice: 'share-minted' };
      },
    },
  ],
};

const VERTICAL_SLUGS = VERTICALS.map(({ slug }) => slug);

const readVertical = (value: string) => (value === '' ? undefined : oneOf(VERTICAL_SLUGS, value));

const MAX_TITLE_LENGTH = 80;

/** @returns undefined for an empty title. The map then shows the brand's name */
function readTitle(value: string): string | undefined {
  const title = value.trim();
  if (title.length > MAX_TITLE_LENGTH || /[\p{Cc}\p{Cs}]/u.test(title)) {
    throw badRequest(`Enter a title of at most ${MAX_TITLE_LENGTH} characters on one line.`);
  }
  return title === '' ? undefined : title;
}

function readDays(value: string): number {
  const { min, max } = SHARE_DAYS;
  const days = readWholeNumber(value.trim(), min, max);
  if (days !== undefined) return days;
  throw badRequest(`Enter a whole number of days, from ${min} to ${max}.`);
}
