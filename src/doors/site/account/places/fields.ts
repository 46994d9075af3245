/** The form of a place, for a new one and for edits. */
import { checkedName } from '../../../../people/account/names.ts';
import { badRequest } from '../../../../errors.ts';
import {
  PLACE_KINDS,
  PLACE_SYMBOLS,
  type PlaceKind,
} from '../../../../data/basemap/place-symbols.ts';
import type { Brand } from '../../../../territories/brands/brands.ts';
import { checkedTexts, type TextFields } from '../../../../territories/places/place-fields.ts';
import type { Place } from '../../../../territories/places/places.ts';
import { withCapital } from './words.ts';
import { formOf, menu, menuOf, text } from '../../framework/fields.ts';
import type { Field } from '../../forms.ts';

/** What a brand's menu depends on */
export interface PlaceFormContext {
  brands: readonly Brand[];
  /** Whether the viewer may add places of the whole organization */
  hasAllBrands: boolean;
}

export const WHOLE_ORGANIZATION = 'The whole organization';

const optionalText = (field: Field & { name: keyof TextFields }) =>
  text<string | null>(
    { ...field, optional: true },
    (given) => checkedTexts({ [field.name]: given }, [field.name])[field.name] ?? null,
  );

/** Degrees, or null for an empty field. */
const degrees = (name: 'lng' | 'lat', label: string) =>
  text<number | null>({ name, label, optional: true, maxlength: 20 }, (given) => {
    const number = Number(given.trim().replace(',', '.'));
    if (given.trim() === '') return null;
    if (Number.isFinite(number)) return number;
    throw badRequest(`The ${label.toLowerCase()} is a number of degrees, such as -96.8.`);
  });

export const PLACE = formOf({
  name: text({ name: 'name', label: 'Name', maxlength: 120 }, (name) =>
    checkedName('A place', name),
  ),
  kind: menu<PlaceKind>(
    { name: 'kind', label: 'Kind', hint: 'Competitors are never shown outside your organization.' },
    PLACE_KINDS.map((kind) => ({ value: kind, label: withCapital(PLACE_SYMBOLS[kind].label) })),
  ),
  brand: menuOf<PlaceFormContext>(
    {
      name: 'brand',
      label: 'Brand',
      value: ({ brands, hasAllBrands }) => (hasAllBrands ? '' : (brands[0]?.id ?? '')),
    },
    ({ brands, hasAllBrands }) => [
      ...(hasAllBrands ? [{ value: '', label: WHOLE_ORGANIZATION }] : []),
      ...brands.map(({ id, name }) => ({ value: id, label: name })),
    ],
  ),
  address: optionalText({
    name: 'address',
    label: 'Address',
    maxlength: 300,
    hint: 'With its ZIP code, whose middle is used if the address can’t be looked up.',
  }),
  zip: text<string | null>(
    { name: 'zip', label: 'ZIP code', optional: true, maxlength: 10 },
    (zip) => zip.trim() || null,
  ),
  lng: degrees('lng', 'Longitude'),
  lat: degrees('lat', 'Latitude'),
  phone: optionalText({ name: 'phone', label: 'Phone', maxlength: 40 }),
  email: optionalText({ name: 'email', label: 'Email', type: 'text', maxlength: 254 }),
  url: optionalText({ name: 'url', label: 'Web page', maxlength: 500 }),
  hours: optionalText({
    name: 'hours',
    label: 'Opening hours',
    maxlength: 300,
    hint: 'In words, such as Mon–Fri 8–6.',
  }),
});

export const editedPlace = ({ brand, ...place }: Place) => ({ ...place, brand: brand?.id ?? '' });
