/** The command that creates a plan and divides its market with the solver. */
import { Option } from 'commander';
import { EXPORT_TYPES } from '../../../../contract/export-formats.ts';
import { path } from '../../call.ts';
import type { Command } from '../../command.ts';
import { EXIT, Failure } from '../../failure.ts';
import { parseJson } from '../../json.ts';
import { readMarket } from '../../market.ts';
import { collect, parseNumber, verticalOption } from '../../options.ts';
import { formatSolution } from './format.ts';
import { balanceByFile, readCsv } from './measure.ts';
import { pictureFlags, pictureRequest, PNG_TYPE, refusePictureFlags } from './picture.ts';

const JSON_TYPE = 'application/json';
const [GEOJSON_TYPE] = EXPORT_TYPES.geojson.split(';') as [string];

export const design: Command = {
  usage: 'design [market...]',
  summary: 'divide a market into even, compact territories, as a plan',
  options: [
    new Option('--metro <metro>', 'the market is a launched metro'),
    new Option('--state <state>', 'the market is a state'),
    new Option('--k <territories>', 'number of territories').argParser(parseNumber),
    new Option('--min <amount>', 'smallest amount per territory, instead of --k').argParser(
      parseNumber,
    ),
    new Option('--max <amount>', 'largest amount per territory, instead of --k').argParser(
      parseNumber,
    ),
    new Option(
      '--balance <measure>',
      'households, ownerOccupiedHouseholds, population, opportunity, or a CSV file with amounts by ZIP code (default: households)',
    ),
    verticalOption('vertical of scores and opportunity (default: roofing)'),
    new Option('--home <zip>', 'home ZIP code of a territory; repeatable').argParser(collect),
    new Option(
      '--max-miles <miles>',
      'maximum distance from a territory’s home (needs --home for each territory)',
    ).argParser(parseNumber),
    new Option(
      '--max-minutes <minutes>',
      'longest drive from the home, instead of --max-miles',
    ).argParser(parseNumber),
    new Option('--whole-counties', 'prefer county lines'),
    new Option('--exclude-held', 'leave out ZIP codes that your brands hold'),
    new Option('--name <name>', 'name of the plan (default: the market and the number)'),
    ...pictureFlags('draw the plan'),
  ],
  examples: [
    'design dallas-tx --k 8',
    'design --metro dallas-tx --k 8 --balance opportunity --name "Dallas by demand" -o plan.geojson',
    'design dallas-tx --k 4 --balance jobs.csv --name "Dallas by jobs"',
    'design --state RI --min 60000 --max 120000 --name "Rhode Island" --json',
  ],
  call: async (words, options, readArgument) => {
    const { metro, state, k, min, max, balance, vertical, home, wholeCounties, excludeHeld } =
      options;
    const { maxMiles, maxMinutes } = options;
    const market = words.length > 0 ? await readMarket(words, readArgument) : { metro, state };
    const size = k === undefined ? [min, max].filter(Boolean).join('-') : k;
    const name = options.name ?? `${words[0] ?? metro ?? state} ${size}`;
    const isGeoJson = /\.(geo)?json$/.test(String(options.output ?? '')) && !options.json;
    // Any other name is a built-in measure or a data set.
    const isFile = /\.(csv|tsv|txt)$/i.test(balance ?? '') || balance === '-';
    const csv = isFile ? await readCsv(balance as string, readArgument) : undefined;
    if (!options['picture']) refusePictureFlags(options);
    const type = options['picture'] ? PNG_TYPE : isGeoJson ? GEOJSON_TYPE : JSON_TYPE;
    return {
      type,
      needsKey: true,
      format: formatSolution,
      async perform(callService) {
        const body = { name, ...market, ...(!isFile && { balance }), vertical };
        const created = parseJson(
          await callService({ path: '/agent/plans', body, type: JSON_TYPE }),
        ) as { id?: string; version?: number } | undefined;
        if (!created?.id) throw new Failure(EXIT.other, 'Could not read the new plan.');
        const at = path`/agent/plans/${created.id}`;
        try {
          const version =
            csv === undefined
              ? created.version
              : (await balanceByFile(callService, created.id, { csv, replace: true })).version;
          const task = {
            ...{ version, task: 'divide', count: k, minimum: min, maximum: max },
            ...{ seeds: home, maxMiles, maxMinutes, wholeCounties, excludeHeld },
          };
          const bytes = await callService({ path: `${at}/solve`, body: task, type: JSON_TYPE });
          if (type === JSON_TYPE) return { bytes, type };
        } catch (error) {
          // A plan without territories would only be in the way.
          await callService({ path: `${at}/delete`, body: {}, type: JSON_TYPE });
          throw error;
        }
        const request = options['picture']
          ? pictureRequest(created.id, options)
          : { path: `${at}/boundaries.geojson`, type };
        return { bytes: await callService(request), type };
      },
    };
  },
};
