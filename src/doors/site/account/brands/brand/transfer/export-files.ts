/** Downloads of a brand's territory. */
import { Readable } from 'node:stream';
import type { z } from 'zod';
import {
  PDF,
  territoryExhibit,
  TerritoryExhibitRequest,
} from '../../../../../tools/support/territory-exhibit.ts';
import { badRequest } from '../../../../../../errors.ts';
import type { Brand } from '../../../../../../territories/brands/brands.ts';
import { pictureOptions, pictureQuery } from '../../../../../http/requests/picture-query.ts';
import {
  DEFAULT_EXPORT_DETAIL,
  type DetailName,
} from '../../../../../../territories/brands/export/detail.ts';
import { exportFile } from '../../../../../../territories/brands/export/files.ts';
import {
  exportExtension,
  EXPORT_FORMATS,
  EXPORT_TYPES,
  type ExportFormat,
} from '../../../../../../base/contract/export-formats.ts';
import { territoryPicture } from '../../../../../../territories/brands/export/picture.ts';
import { openExport } from '../../../../../../territories/brands/export/zips.ts';
import { attachment, type MemberData } from '../../../../framework/data.ts';
import { oneOf } from '../../../../framework/form-problems.ts';
import type { MemberVisit } from '../../../../framework/visit.ts';
import type { Caller } from '../../../../../../people/account/caller.ts';
import { listDataSets } from '../../../../../../territories/own-data/data-sets.ts';
import { pinsOf, PUBLIC_KINDS } from '../../../../../../territories/places/pins.ts';
import { visibleDataOf } from '../../../../../../territories/own-data/viewer-data.ts';
import { ALL_DATA, EXPORT_PATH } from './export-view.ts';
import { momentWords } from '../../../../../../people/account/days/as-of.ts';
import { readDay } from '../../../over-time/day-form.ts';
import { loadBrand } from '../load-brand.ts';
import { readWholeNumber } from '../../../../../../base/text/whole-number.ts';

const PNG = 'image/png';

type Fields = Pick<URLSearchParams, 'get'>;

/** Both make a file, which costs at least as much work as a picture. */
const DOWNLOAD = { audience: 'member', limit: 'map-image', needs: 'reader' } as const;

async function fileOf(
  { tenant }: Caller,
  { slug }: Brand,
  extension: string,
  type: string,
  body: Readable | Buffer,
) {
  const day = (await momentWords(tenant))?.day ?? new Date().toISOString().slice(0, 10);
  return { body, headers: attachment(type, `${slug}-${day}.${extension}`) };
}

/** A file with figures costs units, so it is requested with a form that states the price. */
async function figuresFile(
  { caller }: MemberVisit,
  brand: Brand,
  format: ExportFormat,
  fields: Fields,
): Promise<Readable | Buffer> {
  const detail = (fields.get('detail') ?? DEFAULT_EXPORT_DETAIL) as DetailName;
  const open = () => openExport(caller, brand, readPrice(fields, 'units'));
  const data = await visibleDataOf(caller, await chosenData(caller, fields));
  const choices = { format, detail, data };
  return exportFile(
    { tenant: caller.tenant, brand },
    open,
    choices,
    caller.tenant.moment ?? new Date(),
  );
}

/** Returns the ids of the data sets to add: none, all, or one. */
async function chosenData({ tenant }: Caller, fields: Fields): Promise<string[]> {
  const chosen = fields.get('data') ?? '';
  if (chosen !== ALL_DATA) return chosen === '' ? [] : [chosen];
  return (await listDataSets(tenant)).map(({ id }) => id);
}

/** Fields of the form for an exhibit, besides the price and the data */
const EXHIBIT_FIELDS = ['vertical', 'paper', 'orientation', 'asOf', 'changesSince'];

async function exhibit(
  { db, renderer, caller }: MemberVisit,
  brand: Brand,
  fields: Fields,
): Promise<Readable> {
  const given = EXHIBIT_FIELDS.map((name) => [name, fields.get(name) || undefined] as const);
  const dataSets = await chosenData(caller, fields);
  const request = TerritoryExhibitRequest.safeParse({
    ...Object.fromEntries(given),
    brand: brand.slug,
    maxUnits: readPrice(fields, 'exhibit-units'),
    places: fields.get('places') === 'own',
    fixedBoundaries: fields.get('fixedBoundaries') === 'true',
    ...(dataSets.length > 0 && { dataSets }),
  });
  if (!request.success) throw badQuery(request.error);
  const { pieces } = await territoryExhibit({ db, renderer }, caller, request.data);
  return Readable.from(pieces, { objectMode: false });
}

async function picture(
  { db, renderer, caller }: MemberVisit,
  brand: Brand,
  { places, ...asked }: Record<string, unknown>,
): Promise<Buffer> {
  const hasPlaces = places !== undefined && oneOf(['own'], String(places)) === 'own';
  const options = pictureQuery.safeParse(asked);
  if (!options.success) throw badQuery(options.error);
  const territory = { tenant: caller.tenant, brand };
  const pins = hasPlaces ? await pinsOf(caller.tenant, PUBLIC_KINDS, brand.id) : [];
  return territoryPicture(db, renderer, territory, { ...pictureOptions(options.data), pins });
}

const PICTURE_FIELDS = ['size', 'style', 'ratio', 'places'];

const exportForm: MemberData = {
  ...DOWNLOAD,
  method: 'post',
  path: EXPORT_PATH,
  type: '*/*',
  async answer(asked, fields) {
    const { caller } = await readDay(asked.caller, fields);
    const visit = { ...asked, caller };
    const brand = await loadBrand(visit);
    const format = oneOf([...EXPORT_FORMATS, 'pdf', 'png'], fields.get('format'));
    if (format === 'pdf') {
      return fileOf(caller, brand, format, PDF, await exhibit(visit, brand, fields));
    }
    if (format === 'png') {
      const asked = PICTURE_FIELDS.flatMap((name) => {
        const value = fields.get(name);
        return value ? [[name, value] as const] : [];
      });
      const body = await picture(visit, brand, Object.fromEntries(asked));
      return fileOf(caller, brand, format, PNG, body);
    }
    const body = await figuresFile(visit, brand, format, fields);
    return fileOf(caller, brand, exportExtension(format), EXPORT_TYPES[format], body);
  },
};

/** The picture as a link, which costs nothing */
const exportedPicture: MemberData = {
  ...DOWNLOAD,
  path: `${EXPORT_PATH}.png`,
  type: PNG,
  async answer(asked) {
    const { caller } = await readDay(asked.caller, asked.query);
    const visit = { ...asked, caller };
    const brand = await loadBrand(visit);
    const { asOf: _, ...choices } = visit.query.toRecord();
    return fileOf(caller, brand, 'png', PNG, await picture(visit, brand, choices));
  },
};

export const exportFiles = [exportForm, exportedPicture];

const badQuery = ({ issues }: z.ZodError) =>
  badRequest(issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; '));

/** Reads the price that the page showed, in units. @throws ServiceError 400 unless it is a whole number */
function readPrice(fields: Fields, name: string): number {
  const price = readWholeNumber(fields.get(name) ?? '', 0, 999_999);
  if (price !== undefined) return price;
  throw badRequest(`${name}: must be the price that the export page shows, such as 1.`);
}
