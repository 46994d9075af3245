/** Downloads of a brand's territory. */
import { Readable } from 'node:stream';
import type { z } from 'zod';
import { requireAccess } from '../../../../../account/access.ts';
import {
  PDF,
  territoryExhibit,
  TerritoryExhibitRequest,
} from '../../../../../agent/territory-exhibit.ts';
import { badRequest } from '../../../../../errors.ts';
import type { Brand } from '../../../../../territory/brands.ts';
import { pictureOptions, pictureQuery } from '../../../../../http/requests/picture-query.ts';
import { DEFAULT_EXPORT_DETAIL, type DetailName } from '../../../../../territory/export/detail.ts';
import { exportFile } from '../../../../../territory/export/files.ts';
import {
  exportExtension,
  EXPORT_FORMATS,
  EXPORT_TYPES,
  type ExportFormat,
} from '../../../../../contract/export-formats.ts';
import { territoryPicture } from '../../../../../territory/export/picture.ts';
import { openExport } from '../../../../../territory/export/zips.ts';
import { attachment, type MemberData } from '../../../../framework/data.ts';
import type { MemberVisit } from '../../../../framework/visit.ts';
import type { Caller } from '../../../../../account/caller.ts';
import { listDataSets } from '../../../../../own-data/data-sets.ts';
import { visibleDataOf } from '../../../../../own-data/viewer-data.ts';
import { ALL_DATA } from './export-view.ts';
import { loadBrand } from '../load-brand.ts';
import { readWholeNumber } from '../../../../../text/whole-number.ts';

type Content = (
  visit: MemberVisit,
  brand: Brand,
  fields: URLSearchParams,
) => Promise<Readable | Buffer>;

const download = (
  method: 'get' | 'post',
  name: string,
  type: string,
  content: Content,
  extension = name,
): MemberData => ({
  audience: 'member',
  method,
  path: `/account/brands/{brand}/export.${name}`,
  type,
  // An export costs at least as much work as a picture.
  limit: 'map-image',
  async answer(visit, fields) {
    requireAccess(visit.caller);
    const brand = await loadBrand(visit);
    const day = new Date().toISOString().slice(0, 10);
    return {
      body: await content(visit, brand, fields),
      headers: attachment(type, `${brand.slug}-${day}.${extension}`),
    };
  },
});

/** A file with figures costs units, so it is requested with a form that states the price. */
const figuresFile = (format: ExportFormat) =>
  download(
    'post',
    format,
    EXPORT_TYPES[format],
    async ({ caller }, brand, fields) => {
      const detail = (fields.get('detail') ?? DEFAULT_EXPORT_DETAIL) as DetailName;
      const open = () => openExport(caller, brand, readPrice(fields));
      const data = await visibleDataOf(caller, await chosenData(caller, fields));
      const choices = { format, detail, data };
      return exportFile({ tenant: caller.tenant, brand }, open, choices, new Date());
    },
    exportExtension(format),
  );

/** Returns the ids of the data sets to add: none, all, or one. */
async function chosenData(caller: Caller, fields: URLSearchParams): Promise<string[]> {
  const chosen = fields.get('data') ?? '';
  if (chosen !== ALL_DATA) return chosen === '' ? [] : [chosen];
  return (await listDataSets(caller.tenant)).map(({ id }) => id);
}

/** Fields of the form for an exhibit, besides the price */
const EXHIBIT_FIELDS = ['vertical', 'paper', 'orientation'];

export const exportFiles = [
  ...EXPORT_FORMATS.map(figuresFile),
  download('post', 'pdf', PDF, async ({ db, renderer, caller }, brand, fields) => {
    const given = EXHIBIT_FIELDS.map((name) => [name, fields.get(name) || undefined] as const);
    const request = TerritoryExhibitRequest.safeParse({
      ...Object.fromEntries(given),
      ...{ brand: brand.slug, maxUnits: readPrice(fields) },
      ...(fields.get('data') && { dataSets: [fields.get('data')] }),
    });
    if (!request.success) throw badQuery(request.error);
    const { pieces } = await territoryExhibit({ db, renderer }, caller, request.data);
    return Readable.from(pieces, { objectMode: false });
  }),
  download('get', 'png', 'image/png', ({ db, renderer, caller, query }, brand) => {
    const options = pictureQuery.safeParse(query.toRecord());
    if (options.success) {
      const territory = { tenant: caller.tenant, brand };
      return territoryPicture(db, renderer, territory, pictureOptions(options.data));
    }
    throw badQuery(options.error);
  }),
];

const badQuery = ({ issues }: z.ZodError) =>
  badRequest(issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; '));

/** Reads the price that the page showed, in units. @throws ServiceError 400 unless it is a whole number */
function readPrice(fields: URLSearchParams): number {
  const price = readWholeNumber(fields.get('units') ?? '', 0, 999_999);
  if (price !== undefined) return price;
  throw badRequest('units: must be the price that the export page shows, such as 1.');
}
