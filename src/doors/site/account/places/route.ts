/** Lists the organization's places, and adds one. */
import { refusalFor } from '../../../../people/account/access.ts';
import { PLACE_KINDS } from '../../../../data/basemap/place-symbols.ts';
import type { ServiceError } from '../../../../errors.ts';
import { brandsInScope } from '../../../../territories/brands/brands.ts';
import { MAX_BYTES } from '../../../../territories/own-data/import/read-upload.ts';
import { dataLimitsOf } from '../../../../territories/own-data/limits.ts';
import { addPlace, countPlaces, pageOfPlaces } from '../../../../territories/places/places.ts';
import { showAtField } from '../../framework/form-problems.ts';
import type { Page } from '../../framework/page.ts';
import { PLACE } from './fields.ts';
import { PLACES_PATH, placesPage } from './view.ts';

/** Rows of the list. Each is short. */
const PAGE_SIZE = 100;

/** The fields are right, but don't say where the place is. */
export const isUnlocated = ({ status }: ServiceError) => status === 400;

export const placesPageRoute: Page<'account'> = {
  audience: 'account',
  path: PLACES_PATH,
  async show({ caller, query, links }, form) {
    const { tenant, brandScope, subscription, organization } = caller;
    const brands = await brandsInScope(tenant, brandScope);
    const kind = PLACE_KINDS.find((one) => one === query.get('kind'));
    const brandId = brands.find(({ id }) => id === query.get('brand'))?.id;
    const page = { cursor: query.get('cursor') ?? undefined, limit: PAGE_SIZE };
    const [{ rows, nextCursor }, used] = await Promise.all([
      pageOfPlaces(tenant, { brandId, kinds: kind && [kind] }, page),
      countPlaces(tenant),
    ]);
    const content = {
      form,
      places: rows,
      nextCursor,
      query,
      used,
      most: dataLimitsOf(subscription).places,
      brands,
      hasAllBrands: brandScope === 'all',
      refusal: refusalFor(caller, { needs: 'writer' }),
      upload: { maxBytes: MAX_BYTES, organization: organization.id },
    };
    return placesPage(content, links);
  },
  forms: [
    {
      needs: 'writer',
      async submit({ caller, geocoder }, fields) {
        const given = PLACE.read(fields);
        await showAtField('address', isUnlocated, addPlace(caller, given, geocoder));
        return { to: PLACES_PATH, notice: 'place-added' };
      },
    },
  ],
};
