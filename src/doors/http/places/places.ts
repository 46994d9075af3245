/** The places of an organization, and how customers reach its brands. */
import {
  ContactBody,
  contactParams,
  ContactRequest,
  DeletedPlaceBody,
  NewPlaceRequest,
  PlaceBody,
  placeBody,
  PlaceChangeRequest,
  PlaceImportBody,
  placeImportBody,
  PlaceImportQuery,
  PlaceListBody,
  PlaceListQuery,
  placeParams,
  placeRequestOf,
} from './schema.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import type { Geocoder } from '../../../data/geocoding/geocoder.ts';
import { findBrand } from '../../../territories/brands/brands.ts';
import { ADDRESSES_PER_UNIT } from '../../../territories/own-data/address-units.ts';
import { MAX_BYTES, MAX_MB } from '../../../territories/own-data/import/read-upload.ts';
import { dataLimitsOf } from '../../../territories/own-data/limits.ts';
import { contactOf, setContact } from '../../../territories/places/contacts.ts';
import { importPlaces } from '../../../territories/places/import-places.ts';
import {
  addPlace,
  changePlace,
  countPlaces,
  deletePlace,
  findPlace,
  pageOfPlaces,
} from '../../../territories/places/places.ts';
import { NO_STORE, SUBSCRIBED } from '../agent/shared.ts';

const PLACES = { ...SUBSCRIBED, tag: 'Places' } as const;

const PRICE = `Looking up addresses costs 1 unit per ${ADDRESSES_PER_UNIT} different ones (rounded up)`;

const FILE_TYPES = {
  'text/csv': 'name,kind,zip\nDallas office,office,75201\nRapid Roofing,competitor,75202\n',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '',
  'application/geo+json': '',
  'application/octet-stream': '',
};

export const placeOperations = (geocoder: Geocoder | undefined): Operation[] => [
  operation({
    ...PLACES,
    id: 'listPlaces',
    method: 'get',
    path: '/agent/places',
    summary: 'List the places',
    description:
      'Returns the organization’s offices, stores, depots, competitors, and other places, by name. Callers with access to ' +
      'only some brands see the places of these and those of the whole organization.',
    query: PlaceListQuery,
    answers: { 200: { description: 'The places', schema: PlaceListBody } },
    errors: [402, 404],
    handle: async ({ caller, query }) => {
      const { tenant, brandScope, subscription } = caller;
      const { brand, kind, ...page } = query;
      const brandId = brand && (await findBrand(tenant, brandScope, brand)).id;
      const [{ rows, nextCursor }, used] = await Promise.all([
        pageOfPlaces(tenant, { brandId, kinds: kind && [kind] }, page),
        countPlaces(tenant),
      ]);
      const limits = { places: dataLimitsOf(subscription).places, used };
      return {
        status: 200,
        headers: NO_STORE,
        body: { places: rows.map(placeBody), nextCursor, limits },
      };
    },
  }),
  operation({
    ...PLACES,
    needs: 'writer',
    id: 'addPlace',
    method: 'post',
    path: '/agent/places',
    summary: 'Add a place',
    description:
      'Adds a place where its coordinates are, else at its address, else in the middle of its ZIP code; `locatedBy` says ' +
      `which. Unlike data sets, places are stored as they are. ${PRICE}.`,
    body: NewPlaceRequest,
    bodyExamples: {
      office: {
        summary: 'An office',
        value: exampleOf(NewPlaceRequest) as typeof NewPlaceRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The new place', schema: PlaceBody } },
    errors: [402, 403, 404, 409, 503],
    handle: async ({ caller, body }) => ({
      status: 200,
      headers: NO_STORE,
      body: placeBody(await addPlace(caller, body, geocoder)),
    }),
  }),
  // Before the path of one place, which it also matches
  operation({
    ...PLACES,
    needs: 'writer',
    id: 'importPlaces',
    method: 'post',
    path: '/agent/places/import',
    summary: 'Import places',
    description:
      `Reads CSV, TSV, XLSX, GeoJSON, KML, KMZ, or a zipped shapefile of up to ${MAX_MB} MB, sent as the body, with a row ` +
      'for each place: its name and kind, and coordinates, an address, or a ZIP code. Columns that the query doesn’t name ' +
      'are guessed. A row changes the place of the same name and brand; where several have that name, and for ' +
      'competitors, the one at the same address or nearby. Others are added. Rows that need attention are listed with ' +
      `the reason. ${PRICE}, in a preview, too.`,
    query: PlaceImportQuery,
    file: { bytes: MAX_BYTES, types: FILE_TYPES },
    answers: {
      200: { description: 'How the file was read, and what changed', schema: PlaceImportBody },
    },
    errors: [402, 403, 409, 503],
    handle: async ({ caller, query, file }) => {
      const imported = await importPlaces(caller, file, placeRequestOf(query), geocoder);
      return { status: 200, headers: NO_STORE, body: placeImportBody(imported, query.findings) };
    },
  }),
  operation({
    ...PLACES,
    id: 'getPlace',
    method: 'get',
    path: '/agent/places/{place}',
    summary: 'Get a place',
    description: 'Returns a place by its id, or by its name, if no other place has it.',
    params: placeParams,
    answers: { 200: { description: 'The place', schema: PlaceBody } },
    errors: [402, 404, 409],
    handle: async ({ caller, params }) => ({
      status: 200,
      headers: NO_STORE,
      body: placeBody(await findPlace(caller.tenant, params.place)),
    }),
  }),
  operation({
    ...PLACES,
    needs: 'writer',
    id: 'changePlace',
    method: 'post',
    path: '/agent/places/{place}',
    summary: 'Change a place',
    description:
      'Fields that are left out stay, and null clears one. The place moves if its coordinates, its address, or its ZIP ' +
      `code change, by the first of them that does. ${PRICE}.`,
    params: placeParams,
    body: PlaceChangeRequest,
    bodyExamples: {
      phone: {
        summary: 'Another phone number',
        value: exampleOf(PlaceChangeRequest) as typeof PlaceChangeRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The place after the change', schema: PlaceBody } },
    errors: [402, 403, 404, 409, 503],
    handle: async ({ caller, params, body }) => ({
      status: 200,
      headers: NO_STORE,
      body: placeBody(await changePlace(caller, params.place, body, geocoder)),
    }),
  }),
  operation({
    ...PLACES,
    needs: 'writer',
    id: 'deletePlace',
    method: 'post',
    path: '/agent/places/{place}/delete',
    summary: 'Delete a place',
    description: 'Deletes a place for good.',
    params: placeParams,
    answers: { 200: { description: 'The place is deleted', schema: DeletedPlaceBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, params }) => {
      const { tenant, actor, brandScope } = caller;
      const { name } = await tenant.transaction((tx) =>
        deletePlace(tx, actor, brandScope, params.place),
      );
      return { status: 200, headers: NO_STORE, body: { deleted: name } };
    },
  }),
  operation({
    ...PLACES,
    id: 'getBrandContact',
    method: 'get',
    path: '/agent/brands/{brand}/contact',
    summary: 'Get the contact of a brand',
    description: 'Returns how customers reach a brand. Fields that aren’t set are null.',
    params: contactParams,
    answers: { 200: { description: 'The contact', schema: ContactBody } },
    errors: [402, 404],
    handle: async ({ caller, params }) => {
      const { tenant, brandScope } = caller;
      const { id } = await findBrand(tenant, brandScope, params.brand);
      return { status: 200, headers: NO_STORE, body: await contactOf(tenant, id) };
    },
  }),
  operation({
    ...PLACES,
    needs: 'writer',
    id: 'setBrandContact',
    method: 'post',
    path: '/agent/brands/{brand}/contact',
    summary: 'Set the contact of a brand',
    description:
      'Sets what lookups and locators tell customers of a brand. Fields that are left out stay, and null clears one.',
    params: contactParams,
    body: ContactRequest,
    bodyExamples: {
      phone: {
        summary: 'A phone number and a web page',
        value: exampleOf(ContactRequest) as typeof ContactRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The contact after the change', schema: ContactBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params, body }) => {
      const { tenant, actor, brandScope } = caller;
      const brand = await findBrand(tenant, brandScope, params.brand);
      const contact = await tenant.transaction((tx) => setContact(tx, actor, brand, body));
      return { status: 200, headers: NO_STORE, body: contact };
    },
  }),
];
