/** Shows a place, changes it, and deletes it. */
import { refusalFor } from '../../../../../people/account/access.ts';
import { brandsInScope } from '../../../../../territories/brands/brands.ts';
import {
  changePlace,
  deletePlace,
  findPlace,
  mayChangePlace,
} from '../../../../../territories/places/places.ts';
import { showAtField } from '../../../framework/form-problems.ts';
import type { Page } from '../../../framework/page.ts';
import { PLACE } from '../fields.ts';
import { isUnlocated } from '../route.ts';
import { PLACE_PATH, placeAddress, PLACES_PATH } from '../view.ts';
import { DELETE_PLACE_PATH, placePage } from './view.ts';

export const placeRoute: Page<'account'> = {
  audience: 'account',
  path: PLACE_PATH,
  async show({ caller, params, links }, form) {
    const { tenant, brandScope } = caller;
    const [place, brands] = await Promise.all([
      findPlace(tenant, params.place!),
      brandsInScope(tenant, brandScope),
    ]);
    const mayChange =
      mayChangePlace(place, brandScope) && refusalFor(caller, { needs: 'writer' }) === undefined;
    return placePage({ form, place, brands, hasAllBrands: brandScope === 'all', mayChange }, links);
  },
  forms: [
    {
      needs: 'writer',
      async submit({ caller, params, geocoder }, fields) {
        const { zip, ...given } = PLACE.read(fields);
        const before = await findPlace(caller.tenant, params.place!);
        // The form has the ZIP code where the place was, which may be wrong for another address.
        const isMoved = given.address !== before.address && zip === before.zip && geocoder;
        const change = { ...given, ...(!isMoved && { zip }) };
        const changed = changePlace(caller, before.id, change, geocoder);
        const place = await showAtField('address', isUnlocated, changed);
        return { to: placeAddress(place), notice: 'place-changed' };
      },
    },
    {
      path: DELETE_PLACE_PATH,
      needs: 'writer',
      async submit({ caller, params }) {
        await caller.tenant.transaction((tx) =>
          deletePlace(tx, caller.actor, caller.brandScope, params.place!),
        );
        return { to: PLACES_PATH, notice: 'place-deleted' };
      },
    },
  ],
};
