/** How customers reach a brand, and its places. */
import { checkedTexts } from '../../../../../../territories/places/place-fields.ts';
import type { Contact } from '../../../../../../territories/places/contacts.ts';
import type { Place } from '../../../../../../territories/places/places.ts';
import type { Brand } from '../../../../../../territories/brands/brands.ts';
import type { FormState } from '../../../../form-state.ts';
import { wholeProblem, type Field } from '../../../../forms.ts';
import { formOf, text } from '../../../../framework/fields.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import { definition } from '../../../../parts.ts';
import { refusalNotice } from '../../../refusal-notice.ts';
import type { AccountContent } from '../../../frame.ts';
import { PLACES_PATH, placeTable } from '../../../places/view.ts';
import { brandPageOf, brandPath } from '../frame.ts';

export const CONTACT_PATH = '/account/brands/{brand}/contact';

const contactText = (field: Field & { name: keyof Contact }) =>
  text<string | null>(
    { ...field, optional: true },
    (given) => checkedTexts({ [field.name]: given }, [field.name])[field.name] ?? null,
  );

export const CONTACT = formOf({
  publicName: contactText({
    name: 'publicName',
    label: 'Public name',
    maxlength: 120,
    hint: 'What customers read. Without it, the name of the brand.',
  }),
  phone: contactText({ name: 'phone', label: 'Phone', maxlength: 40 }),
  email: contactText({ name: 'email', label: 'Email', maxlength: 254 }),
  url: contactText({ name: 'url', label: 'Web page', maxlength: 500 }),
});

interface ContactContent {
  form: FormState;
  brand: Brand;
  contact: Contact;
  places: readonly Place[];
  /** Reason why the viewer can't change the contact; undefined if they can */
  refusal: string | undefined;
}

export function contactPage(content: ContactContent, links: Links): AccountContent {
  const { form, brand, contact, places, refusal } = content;
  const main = html`${wholeProblem(form)}
    <section aria-labelledby="contact-title">
      <h2 id="contact-title">Contact</h2>
      <p>Lookups and locators tell customers how to reach the brand that serves them.</p>
      ${
        refusal === undefined
          ? html`<form method="post" action="${links.page(brandPath(brand, '/contact'))}">
              ${CONTACT.html(form.of(CONTACT_PATH), {}, contact)}
              <button class="button">Save contact</button>
            </form>`
          : html`${facts(content)} ${refusalNotice(refusal)}`
      }
    </section>
    <section aria-labelledby="places-title">
      <h2 id="places-title">Places</h2>
      ${
        places.length > 0
          ? placeTable(places, links, true)
          : html`<p class="quiet">The brand has no places of its own yet.</p>`
      }
      <p>
        <a href="${links.page(PLACES_PATH)}?brand=${brand.id}"
          >${refusal === undefined ? 'Add places, or see them on a map' : 'See them on a map'}</a
        >
      </p>
    </section>`;
  const assets = ['account/places/style.css'] as const;
  return brandPageOf({ brand, under: '/contact', assets, main }, links);
}

const facts = ({ brand, contact }: ContactContent): Html =>
  html`<dl class="facts">
    ${definition('Public name', contact.publicName ?? brand.name)}
    ${definition('Phone', contact.phone ?? '–')} ${definition('Email', contact.email ?? '–')}
    ${definition('Web page', contact.url ?? '–')}
  </dl>`;
