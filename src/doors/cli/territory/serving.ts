/** The command that finds out who serves places: one, or a file of leads. */
import { formatMiles } from '../../../base/text/words.ts';
import { stat } from 'node:fs/promises';
import { Option } from 'commander';
import type { z } from 'zod';
import type { ServingBody } from '../../http/serving/schema.ts';
import { paragraphs, wrapLines } from '../table.ts';
import type { Answer, Command, Formats, Formatter, Given, Steps } from './command.ts';
import { columns, fileBody } from './upload.ts';
import { EXIT, Failure } from './failure.ts';

const COLUMNS = ['sheet', 'zipColumn', 'lng', 'lat', 'addressColumn'] as const;

export const servingCommands: readonly Command[] = [
  {
    usage: 'serving [place]',
    summary: 'find out who serves a ZIP code, a point, or an address, or route a file of leads',
    calls: ['getServing', 'routeLeads'],
    names: { lng: 'lng-column', lat: 'lat-column' },
    hides: ['zip', 'address'],
    texts: { point: 'longitude and latitude, such as -96.8,32.78' },
    more: [
      new Option('--address <address>', 'an address, which costs what looking it up costs'),
      new Option('--zip-column <column>', 'heading or number of the column of ZIP codes of a file'),
      new Option(
        '--address-column <column>',
        'column of an address of a file; repeatable, in order',
      ).argParser(columns),
    ],
    perform,
    examples: [
      'serving 75201',
      'serving --point=-96.8,32.78',
      'serving leads.csv -o routed.csv',
      'serving leads.xlsx --zip-column "Postal code" -o routed.csv',
    ],
  },
];

async function perform({ call }: Steps, given: Given): Promise<Answer> {
  const { place, point, address } = given;
  const asked = [place, point, address].filter((one) => one !== undefined);
  if (asked.length !== 1) {
    throw new Failure(
      EXIT.usage,
      'Give one of: a ZIP code, a file of leads, --point, and --address.',
    );
  }
  const isFile = place !== undefined && (place === '-' || !(await isZip(place)));
  const named = COLUMNS.find((name) => given[name] !== undefined);
  if (named !== undefined && !isFile) {
    throw new Failure(EXIT.usage, `Columns can only be named for a file. Leave them out.`);
  }
  if (!isFile) return call('getServing', { zip: place, point, address });
  const { sheet, zipColumn: zip, lng, lat, addressColumn } = given;
  return call(
    'routeLeads',
    { sheet, zip, lng, lat, address: addressColumn },
    await fileBody(place),
  );
}

/** Whether an operand is a ZIP code. A file may have the name of one. */
const isZip = async (place: string) =>
  /^\d{5}(-\d{4})?$/.test(place) &&
  !(await stat(place).then(
    () => true,
    () => false,
  ));

type Serving = z.output<typeof ServingBody>;

const show: Formatter<Serving> = ({ zip, place, address, brands, reason }, layout) =>
  paragraphs(
    [layout.paint('bold', zip ?? ''), place, address]
      .filter((part) => part !== '' && part !== null)
      .join(', '),
    ...brands.map((brand) =>
      [
        `${layout.paint('bold', brand.publicName)} (${brand.brand}), since ${brand.since.slice(0, 10)}`,
        ...[brand.phone, brand.email, brand.url].filter((text) => text !== null),
        ...(brand.groups.length > 0 ? [`Groups: ${brand.groups.join(', ')}`] : []),
        ...(brand.nearestPlace
          ? [
              `Nearest place: ${brand.nearestPlace.name}, ${formatMiles(brand.nearestPlace.miles)} away`,
            ]
          : []),
      ].join('\n  '),
    ),
    wrapLines(reason, layout),
  );

export const servingFormats: Formats = { getServing: show };
