/** Looks up who serves a place. The script of the page routes files. */
import { refusalFor } from '../../../../people/account/access.ts';
import { badRequest } from '../../../../errors.ts';
import { servedBy, type Question } from '../../../../territories/serving/serving.ts';
import { withMeteredAddresses } from '../../../../territories/own-data/address-units.ts';
import { readCoordinates } from '../../../../territories/own-data/import/coordinates.ts';
import { FormState } from '../../form-state.ts';
import type { Page } from '../../framework/page.ts';
import { question, SERVING_PATH, servingPage } from './view.ts';

export const servingRoute: Page<'account'> = {
  audience: 'account',
  path: SERVING_PATH,
  show({ caller, geocoder, links }, form) {
    return servingPage(
      {
        form,
        geocodes: geocoder !== undefined,
        refusal: refusalFor(caller, { needs: 'reader' }),
        organization: caller.organization.id,
      },
      links,
    );
  },
  forms: [
    {
      needs: 'reader',
      async submit({ caller, geocoder, links }, fields) {
        const geocodes = geocoder !== undefined;
        const { place } = question(geocodes).read(fields);
        const asked = questionOf(place, geocodes);
        const served = await withMeteredAddresses(caller, geocoder, (metered) =>
          servedBy(caller, asked, { geocoder: metered }),
        );
        const content = {
          form: FormState.EMPTY,
          geocodes,
          asked: place,
          served,
          refusal: undefined,
          organization: caller.organization.id,
        };
        return { page: servingPage(content, links) };
      },
    },
  ],
};

/** @throws ServiceError 400 for nothing, or an address that can't be looked up */
function questionOf(text: string, geocodes: boolean): Question {
  if (text === '') throw badRequest('Enter a place.');
  if (/^\d{5}(-?\d{4})?$/.test(text)) return { zip: text };
  const point = readCoordinates(text, text, true);
  if (point !== null) return { point: { lng: point[0], lat: point[1] } };
  if (geocodes) return { address: text };
  throw badRequest('Enter a ZIP code, such as 75201, or coordinates, such as 32.78, -96.8.');
}
