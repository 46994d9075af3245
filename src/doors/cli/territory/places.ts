/** Commands for places, and for how customers reach brands. */
import { Option } from 'commander';
import type { z } from 'zod';
import { formatCount, pluralize } from '../../../base/text/words.ts';
import type {
  ContactBody,
  PlaceBody,
  PlaceImportBody,
  PlaceListBody,
} from '../../http/places/schema.ts';
import { formatTable, paragraphs, wrapLines } from '../table.ts';
import type { Answer, Command, Formats, Formatter, Given, Steps } from './command.ts';
import { formatNextPage } from './markets.ts';
import { formatRecord } from './record.ts';
import { ATTENTION, columns, fileBody, findingLines, SHOWN, writeAttention } from './upload.ts';

const KINDS = 'office, store, depot, competitor, or other';
const TEXTS = {
  address: 'street, city, and state, which the service looks up',
  phone: 'phone number for customers',
  email: 'email address for customers',
};

export const placeCommands: readonly Command[] = [
  {
    usage: 'places list',
    calls: ['listPlaces'],
    texts: { kind: `only ${KINDS}` },
    examples: ['places list --kind competitor', 'places list --brand lone-star-roofing'],
  },
  { usage: 'places show', calls: ['getPlace'], examples: ['places show "Dallas office"'] },
  {
    usage: 'places delete',
    calls: ['deletePlace'],
    confirm: 'Deleting "{place}" can’t be undone.',
    done: 'Deleted the place "{place}".',
    examples: ['places delete "Dallas office" --confirm', 'places delete "Dallas depot"'],
  },
  {
    usage: 'places add',
    summary: 'add an office, a store, a depot, a competitor, or another place',
    calls: ['addPlace'],
    texts: TEXTS,
    examples: [
      'places add "Plano office" office --zip 75023 --phone "(214) 555-0100"',
      'places add "Rapid Roofing" competitor --lng -96.8 --lat 32.78',
    ],
  },
  {
    usage: 'places change',
    summary: 'change a place; an empty text clears a field',
    calls: ['changePlace'],
    texts: TEXTS,
    more: [
      new Option('--all-brands', 'make it a place of the whole organization').conflicts('brand'),
    ],
    input: ({ allBrands, brand }) => ({ brand: allBrands ? null : brand }),
    edits: true,
    examples: [
      'places change "Dallas office" --hours "Mon–Fri 8–6"',
      'places change "Dallas office" --phone "" --all-brands',
    ],
  },
  {
    usage: 'places import <file>',
    summary: 'add and change places from a file, such as CSV, Excel, or GeoJSON',
    calls: ['importPlaces'],
    hides: ['findings'],
    texts: { address: 'column of an address; repeatable, in order' },
    read: { address: columns },
    more: [ATTENTION],
    perform: importFile,
    examples: [
      'places import offices.csv',
      'places import rivals.xlsx --kind competitor --preview --attention attention.csv',
    ],
  },
  {
    usage: 'contact show',
    calls: ['getBrandContact'],
    examples: ['contact show lone-star-roofing'],
  },
  {
    usage: 'contact set',
    summary: 'set how customers reach a brand; an empty text clears a field',
    calls: ['setBrandContact'],
    texts: { phone: TEXTS.phone, email: TEXTS.email },
    edits: true,
    examples: [
      'contact set lone-star-roofing --phone "(214) 555-0100" --url https://www.example.com',
      'contact set desert-air-hvac --email ""',
    ],
  },
];

async function importFile(
  { call }: Steps,
  { options: _, file, attention, ...given }: Given,
): Promise<Answer> {
  const input = { ...given, findings: attention && 20_000 };
  const answer = await call('importPlaces', input, await fileBody(file));
  if (attention) {
    const { findings } = JSON.parse(answer.bytes.toString()) as Imported;
    await writeAttention(
      attention,
      ['line', 'name', 'outcome', 'reason'],
      findings.map(({ line, given: name, outcome, reason }) => [
        line,
        name,
        OUTCOMES[outcome],
        reason,
      ]),
    );
  }
  return answer;
}

type Imported = z.output<typeof PlaceImportBody>;

const OUTCOMES: Readonly<Record<keyof Imported['counts'], string>> = {
  added: 'added',
  changed: 'changed',
  unchanged: 'unchanged',
  left_out: 'left out',
};

const imported: Formatter<Imported> = (answer, layout) => {
  const { counts, findings, moreFindings, rows, stored } = answer;
  const digits = formatCount(rows).length;
  return paragraphs(
    wrapLines(answer.summary, layout),
    [
      `${pluralize(rows, 'row')}:`,
      ...Object.entries(counts)
        .filter(([, count]) => count > 0)
        .map(
          ([outcome, count]) =>
            `  ${formatCount(count).padStart(digits)} ${OUTCOMES[outcome as keyof typeof OUTCOMES]}`,
        ),
    ].join('\n'),
    wrapLines(findingLines(answer), layout),
    findings.length > SHOWN || moreFindings
      ? '… and more. --attention attention.csv lists them in a file.'
      : '',
    stored ? '' : 'Nothing was stored. To store it, leave out --preview.',
  );
};

type Place = z.output<typeof PlaceBody>;

const LOCATED_BY: Readonly<Record<Place['locatedBy'], string>> = {
  coordinates: 'coordinates',
  address: 'its address',
  zip: 'the middle of its ZIP code',
};

const list: Formatter<z.output<typeof PlaceListBody>> = (answer, layout) =>
  paragraphs(
    formatTable(
      layout,
      answer.places,
      {
        Place: 'name',
        Kind: 'kind',
        'ZIP code': ({ zip }) => zip ?? '',
        'Brand?': ({ brandName }) => brandName ?? '',
        'Phone?': ({ phone }) => phone ?? '',
        'Located by?': ({ locatedBy }) => LOCATED_BY[locatedBy],
      },
      'No places yet. Add one with: territory places add',
    ),
    `${formatCount(answer.limits.used)} of ${pluralize(answer.limits.places, 'place')}`,
    formatNextPage(answer.nextCursor, layout),
  );

const show: Formatter<Place> = ({ brandName, locatedBy, brand: _, ...place }, layout) =>
  formatRecord(
    { ...place, brand: brandName ?? 'the whole organization', locatedBy: LOCATED_BY[locatedBy] },
    layout,
  );

const contact: Formatter<z.output<typeof ContactBody>> = (answer, layout) =>
  formatRecord(answer, layout);

export const placeFormats: Formats = {
  listPlaces: list,
  getPlace: show,
  addPlace: show,
  changePlace: show,
  importPlaces: imported,
  getBrandContact: contact,
  setBrandContact: contact,
};
