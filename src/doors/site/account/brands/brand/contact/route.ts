/** Shows how customers reach a brand, and its places, and sets the former. */
import { WRITER, refusalFor } from '../../../../../../people/account/access.ts';
import { contactOf, setContact } from '../../../../../../territories/places/contacts.ts';
import { listPlaces } from '../../../../../../territories/places/places.ts';
import type { Page } from '../../../../framework/page.ts';
import { brandPath } from '../frame.ts';
import { loadBrand } from '../load-brand.ts';
import { CONTACT, CONTACT_PATH, contactPage } from './view.ts';

export const contactRoute: Page<'account'> = {
  audience: 'account',
  path: CONTACT_PATH,
  async show(visit, form) {
    const { caller, links } = visit;
    const brand = await loadBrand(visit);
    const [contact, places] = await Promise.all([
      contactOf(caller.tenant, brand.id),
      listPlaces(caller.tenant, { brandId: brand.id }),
    ]);
    const refusal = refusalFor(caller, WRITER);
    return contactPage({ form, brand, contact, places, refusal }, links);
  },
  forms: [
    {
      ...WRITER,
      async submit(visit, fields) {
        const { tenant, actor } = visit.caller;
        const brand = await loadBrand(visit);
        const given = CONTACT.read(fields);
        await tenant.transaction((tx) => setContact(tx, actor, brand, given));
        return { to: brandPath(brand, '/contact'), notice: 'contact-saved' };
      },
    },
  ],
};
