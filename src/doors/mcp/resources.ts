/** Resources that clients can attach to a conversation: brands, metros, and the methodology. Reading is free. */
import {
  ResourceNotFoundError,
  type ListResourcesResult,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { Caller } from '../../people/account/caller.ts';
import { unstorableCharacter } from '../../base/contract/storable-text.ts';
import type { Queryable } from '../../base/db/database.ts';
import { ServiceError } from '../../errors.ts';
import { resolveMarket } from '../../data/market/market.ts';
import { launchedMetros, metroBySlug } from '../../data/market/metros.ts';
import { methodologyOf, signalsOf } from '../../data/market/public/methodology.ts';
import { verticalBySlug, VERTICALS, type Vertical } from '../../data/scoring/verticals.ts';
import { heldZipStatuses } from '../../territories/brands/brand-zips.ts';
import { decodePart } from '../../base/text/decode-part.ts';
import { findBrand } from '../../territories/brands/brands.ts';
import { listBrands } from '../../territories/brands/list-brands.ts';

const SCHEME = 'territory:';

const JSON_TYPE = 'application/json';
const MARKDOWN = 'text/markdown';

const FIXED: readonly Resource[] = [
  {
    uri: `${SCHEME}//brands`,
    name: 'brands',
    title: 'Brands',
    description: 'The brands in scope with counts of live and pending ZIP codes',
    mimeType: JSON_TYPE,
  },
  {
    uri: `${SCHEME}//metros`,
    name: 'metros',
    title: 'Metros',
    description: 'The launched metros and their counties',
    mimeType: JSON_TYPE,
  },
  {
    uri: `${SCHEME}//methodology`,
    name: 'methodology',
    title: 'Methodology',
    description: 'How each vertical is scored',
    mimeType: MARKDOWN,
  },
];

export const TEMPLATES: readonly ResourceTemplateType[] = [
  {
    uriTemplate: `${SCHEME}//brands/{brand}`,
    name: 'brand',
    title: 'Brand',
    description: 'The ZIP codes that a brand holds, live and pending. brand: slug, name, or id',
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: `${SCHEME}//metros/{metro}`,
    name: 'metro',
    title: 'Metro',
    description: 'The counties and ZIP codes of a metro, such as dallas-tx',
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: `${SCHEME}//methodology/{vertical}`,
    name: 'vertical-methodology',
    title: 'Methodology of a vertical',
    description: 'The signals of a vertical’s score with their weights and reasons',
    mimeType: MARKDOWN,
  },
];

/**
 * Lists the fixed resources, then the brands in scope, in pages.
 * @throws ServiceError 400 for a cursor of another list
 */
export async function listResources(
  { tenant, brandScope }: Caller,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const { rows, nextCursor } = await listBrands(tenant, brandScope, { cursor });
  const brands = rows.map(({ slug, name, live, pending }) => ({
    uri: `${SCHEME}//brands/${slug}`,
    name: slug,
    title: name,
    description: `A brand with ${live} live and ${pending} pending ZIP codes`,
    mimeType: JSON_TYPE,
  }));
  return {
    resources: [...(cursor === undefined ? FIXED : []), ...brands],
    ...(nextCursor !== null && { nextCursor }),
  };
}

/** Reads a resource. @throws ResourceNotFoundError that lists the available resources */
export async function readResource(
  db: Queryable,
  caller: Caller,
  uri: string,
): Promise<ReadResourceResult> {
  const [kind = '', name, ...rest] = partsOf(uri);
  const read = rest.length === 0 ? READERS[kind] : undefined;
  if (!read) throw notFound(uri, `Use one of: ${namesOfAll()}.`);
  try {
    const content = await read({ db, caller, name });
    const [mimeType, text] =
      typeof content === 'string' ? [MARKDOWN, content] : [JSON_TYPE, JSON.stringify(content)];
    return { contents: [{ uri, mimeType, text }] };
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) throw notFound(uri, error.message);
    throw error;
  }
}

const namesOfAll = () =>
  [...FIXED.map(({ uri }) => uri), ...TEMPLATES.map(({ uriTemplate }) => uriTemplate)].join(', ');

const notFound = (uri: string, next: string) =>
  new ResourceNotFoundError(uri, `There is no resource ${uri.slice(0, 200)}. ${next}`);

/** Returns the parts of an address, such as `['brands', 'lone-star-roofing']`; none for an address that can't be ours. */
function partsOf(uri: string): string[] {
  const prefix = `${SCHEME}//`;
  if (!uri.startsWith(prefix)) return [];
  const parts = uri.slice(prefix.length).split('/').map(decodePart);
  const canExist = (part?: string): part is string =>
    part !== undefined && unstorableCharacter(part) === undefined;
  return parts.every(canExist) ? parts : [];
}

interface Reading {
  db: Queryable;
  caller: Caller;
  /** The part after the kind; undefined for the whole list */
  name: string | undefined;
}

/** Readers by kind. They return an object for JSON, or a string of Markdown. @throws ServiceError 404 */
const READERS: Record<string, (reading: Reading) => Promise<object | string>> = {
  async brands({ caller: { tenant, brandScope }, name }) {
    if (name === undefined) {
      const { rows, nextCursor } = await listBrands(tenant, brandScope, { limit: MAX_BRANDS });
      return { brands: rows, more: nextCursor !== null };
    }
    const brand = await findBrand(tenant, brandScope, name);
    const held = [...(await heldZipStatuses(tenant, brand))].sort();
    const zipsOf = (wanted: 'live' | 'pending') =>
      held.filter(([, status]) => status === wanted).map(([zip]) => zip);
    return { ...brand, live: zipsOf('live'), pending: zipsOf('pending') };
  },
  async metros({ db, name }) {
    if (name === undefined) return { metros: launchedMetros() };
    const metro = metroBySlug(name);
    const { zips } = await resolveMarket(db, { metro: metro.slug });
    return { ...metro, zips };
  },
  async methodology({ name }) {
    if (name !== undefined) return describeVertical(verticalBySlug(name));
    return ['# Methodology', ...VERTICALS.map(describeVertical)].join('\n\n');
  },
};

const MAX_BRANDS = 200;

function describeVertical(vertical: Vertical): string {
  const rows = signalsOf(vertical).map(
    ({ label, weight, direction, reason }) =>
      `| ${label} | ${Math.round(100 * weight)}% | ${direction} | ${reason} |`,
  );
  return [
    `## ${vertical.label}`,
    `${methodologyOf(vertical)}\n`,
    '| signal | weight | direction | reason |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
