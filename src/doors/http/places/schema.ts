/** Requests and responses of the operations on places and contacts. */
import { z } from 'zod';
import { actorName } from '../../../people/account/caller.ts';
import { exactQuery, oneOf } from '../../../base/contract/exact-query.ts';
import { MAX_LIMIT, NextCursor, pageFields } from '../../../base/contract/paging.ts';
import { exampleOf, ZipCode } from '../../../base/contract/resources.ts';
import { wholeNumber } from '../../../base/contract/whole-number.ts';
import { PLACE_KINDS } from '../../../data/basemap/place-symbols.ts';
import { badRequest } from '../../../errors.ts';
import type { PlaceFileRequest } from '../../../territories/places/import-places.ts';
import { PLACE_OUTCOMES, type PlaceImport } from '../../../territories/places/import-types.ts';
import type { Place } from '../../../territories/places/places.ts';

const name = z.string().min(1).max(120);
const kind = z
  .enum(PLACE_KINDS)
  .meta({ description: 'Competitors are never shown outside the organization.' });
const brandRef = name.meta({ description: 'Slug, name, or id of a brand' });

export const placeParams = z.object({ place: name.meta({ description: 'Id or name of a place' }) });
export const contactParams = z.object({ brand: brandRef });

const text = (most: number, description?: string) =>
  z
    .string()
    .max(most)
    .nullable()
    .optional()
    .meta({ ...(description !== undefined && { description }) });

const contactFields = {
  phone: text(40),
  email: text(254),
  url: text(500, 'Address of a web page'),
};

const fields = {
  brand: brandRef
    .nullable()
    .optional()
    .meta({ description: 'Slug, name, or id of a brand; null: the whole organization' }),
  lng: z.number().min(-180).max(180).optional().meta({ description: 'Longitude in degrees' }),
  lat: z.number().min(-90).max(90).optional().meta({ description: 'Latitude in degrees' }),
  address: text(300, 'Looked up, unless there are coordinates'),
  zip: z
    .string()
    .max(20)
    .nullable()
    .optional()
    .meta({
      description:
        'ZIP code. Its middle is used if there are neither coordinates nor an address that is found.',
    }),
  ...contactFields,
  hours: text(300, 'Opening hours, in words'),
};

export const NewPlaceRequest = z
  .strictObject({ name, kind, ...fields })
  .meta({
    id: 'NewPlaceRequest',
    examples: [
      {
        name: 'Dallas office',
        kind: 'office',
        address: '1500 Marilla Street, Dallas, TX 75201',
        phone: '(214) 555-0100',
        url: 'https://www.example.com/dallas',
        hours: 'Mon–Fri 8–6',
      },
    ],
  });

export const PlaceChangeRequest = z
  .strictObject({ name: name.optional(), kind: kind.optional(), ...fields })
  .meta({ id: 'PlaceChangeRequest', examples: [{ phone: '(214) 555-0199', hours: null }] });

const LOCATED_BY = ['coordinates', 'address', 'zip'] as const;

export const PlaceBody = z
  .object({
    id: z.uuid(),
    name,
    kind,
    brand: z.string().nullable().meta({ description: 'Slug; null: the whole organization' }),
    brandName: z.string().nullable(),
    lng: z.number(),
    lat: z.number(),
    locatedBy: z
      .enum(LOCATED_BY)
      .meta({
        description:
          'Where the point comes from: given `coordinates`, the looked-up `address`, or the middle of the `zip` code',
      }),
    zip: ZipCode.nullable().meta({ description: 'The ZIP code around it; null outside of all' }),
    address: z.string().nullable(),
    phone: z.string().nullable(),
    email: z.string().nullable(),
    url: z.string().nullable(),
    hours: z.string().nullable(),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
    changedBy: z.string(),
    changedAt: z.iso.datetime(),
  })
  .meta({
    id: 'Place',
    examples: [
      {
        id: '3d1c9f6e-30a5-4a3b-8f0e-6a0c5f5b2a11',
        name: 'Dallas office',
        kind: 'office',
        brand: 'lone-star-roofing',
        brandName: 'Lone Star Roofing',
        lng: -96.797,
        lat: 32.781,
        locatedBy: 'address',
        zip: '75201',
        address: '1500 Marilla Street, Dallas, TX 75201',
        phone: '(214) 555-0100',
        email: null,
        url: 'https://www.example.com/dallas',
        hours: 'Mon–Fri 8–6',
        createdBy: 'Pat',
        createdAt: '2026-11-20T10:00:00.000Z',
        changedBy: 'Pat',
        changedAt: '2026-11-22T10:00:00.000Z',
      },
    ],
  });

export const PlaceListBody = z
  .object({
    places: z.array(PlaceBody),
    nextCursor: NextCursor,
    limits: z.object({
      places: z.int().meta({ description: 'Largest number of places' }),
      used: z.int(),
    }),
  })
  .meta({
    id: 'PlaceList',
    examples: [
      { places: [exampleOf(PlaceBody)], nextCursor: null, limits: { places: 20_000, used: 1 } },
    ],
  });

export const PlaceListQuery = exactQuery({
  brand: brandRef.optional().meta({ description: 'Only places of this brand: slug, name, or id' }),
  kind: z
    .enum(PLACE_KINDS, oneOf(PLACE_KINDS))
    .optional()
    .meta({ description: 'Only places of this kind' }),
  cursor: pageFields().cursor,
  limit: wholeNumber(1, MAX_LIMIT)
    .optional()
    .meta({ type: 'number', description: pageFields().limit.description }),
});

export const DeletedPlaceBody = z
  .object({ deleted: z.string().meta({ description: 'Name of the place' }) })
  .meta({ id: 'DeletedPlace', examples: [{ deleted: 'Dallas office' }] });

export const placeBody = ({
  brand,
  createdBy,
  createdAt,
  changedBy,
  changedAt,
  ...place
}: Place): z.output<typeof PlaceBody> => ({
  ...place,
  brand: brand?.slug ?? null,
  brandName: brand?.name ?? null,
  createdBy: actorName(createdBy),
  createdAt: createdAt.toISOString(),
  changedBy: actorName(changedBy),
  changedAt: changedAt.toISOString(),
});

const column = (what: string) =>
  name.optional().meta({ description: `Heading or number of the column of ${what}` });

/** Number of findings in an answer by default */
const FINDINGS = 200;

export const PlaceImportQuery = exactQuery({
  kind: z
    .enum(PLACE_KINDS, oneOf(PLACE_KINDS))
    .optional()
    .meta({ description: 'Kind of the rows that don’t name one' }),
  brand: brandRef
    .optional()
    .meta({
      description:
        'Brand of the rows that don’t name one: slug, name, or id (default: the whole organization)',
    }),
  sheet: name
    .optional()
    .meta({ description: 'Sheet of a workbook (default: the first with a table)' }),
  name: column('names'),
  kindColumn: column('kinds'),
  brandColumn: column('brands'),
  lng: column('longitudes'),
  lat: column('latitudes'),
  address: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .meta({
      description:
        'Headings or numbers of the columns of an address, in order, separated by commas',
    }),
  zip: column('ZIP codes'),
  phone: column('phone numbers'),
  email: column('email addresses'),
  url: column('web pages'),
  hours: column('opening hours'),
  preview: z
    .enum(['true', 'false'], oneOf(['true', 'false']))
    .default('false')
    .meta({ description: '`true` reads the file without storing anything' }),
  findings: wholeNumber(0, 20_000)
    .optional()
    .meta({ description: `Maximum number of findings in the answer (default ${FINDINGS})` }),
});

/** Returns what a query asks for. @throws ServiceError 400 for only one of `lng` and `lat` */
export function placeRequestOf(query: z.output<typeof PlaceImportQuery>): PlaceFileRequest {
  const { kindColumn, brandColumn, lng, lat, address, sheet, zip, preview } = query;
  if ((lng === undefined) !== (lat === undefined)) {
    throw badRequest('lng, lat: name both columns, or neither.');
  }
  const addressColumns = address?.split(',').map((part) => part.trim());
  const { name: nameColumn, phone, email, url, hours } = query;
  return {
    options: {
      sheet,
      zip,
      ...(lng !== undefined && { coordinates: { lng, lat: lat! } }),
      ...(addressColumns && { address: addressColumns.filter((part) => part !== '') }),
    },
    columns: { name: nameColumn, kind: kindColumn, brand: brandColumn, phone, email, url, hours },
    kind: query.kind,
    brand: query.brand,
    isPreview: preview === 'true',
  };
}

const finding = {
  line: z.int().meta({ description: 'Line, row of a sheet, or number of a feature' }),
  given: z.string().meta({ description: 'The name in the row' }),
  outcome: z.enum(PLACE_OUTCOMES),
  reason: z.string(),
};

export const PlaceImportBody = z
  .object({
    stored: z.boolean().meta({ description: 'False for a preview' }),
    format: z.enum(['csv', 'xlsx', 'geojson', 'kml', 'shapefile']),
    summary: z.string().meta({ description: 'How the file was read' }),
    columns: z.array(z.object({ number: z.int(), name: z.string() })),
    sheets: z.array(z.string()).meta({ description: 'Sheets of a workbook' }),
    rows: z.int(),
    counts: z
      .object({ added: z.int(), changed: z.int(), unchanged: z.int(), left_out: z.int() })
      .meta({ description: 'Number of rows by outcome; each row has exactly one' }),
    findings: z
      .array(z.object(finding))
      .meta({ description: 'The first rows that need attention, and why' }),
    moreFindings: z.boolean().meta({ description: 'Whether further rows need attention' }),
    firstRows: z
      .array(
        z.object({
          ...finding,
          kind: kind.nullable(),
          brand: z.string().nullable().meta({ description: 'Name of the brand' }),
          locatedBy: z.enum(LOCATED_BY).nullable(),
          zip: ZipCode.nullable(),
        }),
      )
      .meta({ description: 'In a preview, the first ten rows as they were read; else empty' }),
  })
  .meta({
    id: 'PlaceImport',
    examples: [
      {
        stored: true,
        format: 'csv',
        summary: 'Table with 2 rows. Found name in “name” and kind in “kind”.',
        columns: [
          { number: 1, name: 'name' },
          { number: 2, name: 'kind' },
          { number: 3, name: 'zip' },
        ],
        sheets: [],
        rows: 2,
        counts: { added: 1, changed: 0, unchanged: 0, left_out: 1 },
        findings: [
          {
            line: 3,
            given: 'Rapid Roofing',
            outcome: 'left_out',
            reason: '"rivals inc" is not a kind of place.',
          },
        ],
        moreFindings: false,
        firstRows: [],
      },
    ],
  });

/** @param most largest number of findings */
export function placeImportBody(
  { columns, sheets, findings, firstRows, ...imported }: PlaceImport,
  most = FINDINGS,
): z.output<typeof PlaceImportBody> {
  return {
    ...imported,
    columns: columns.map((one) => ({ number: one.number, name: one.name })),
    sheets: [...sheets],
    findings: findings.slice(0, most),
    moreFindings: findings.length > most,
    firstRows: imported.stored ? [] : firstRows,
  };
}

const publicName = text(120, 'What customers read as its name; null: the brand’s own name');

export const ContactRequest = z
  .strictObject({ publicName, ...contactFields })
  .meta({
    id: 'BrandContactRequest',
    examples: [{ phone: '(214) 555-0100', url: 'https://www.example.com' }],
  });

export const ContactBody = z
  .object({
    publicName: z.string().nullable().meta({ description: 'Null: the brand’s own name' }),
    phone: z.string().nullable(),
    email: z.string().nullable(),
    url: z.string().nullable(),
  })
  .meta({
    id: 'BrandContact',
    examples: [
      {
        publicName: 'Lone Star Roofing of Dallas',
        phone: '(214) 555-0100',
        email: 'dallas@example.com',
        url: 'https://www.example.com/dallas',
      },
    ],
  });
