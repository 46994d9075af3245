/** `territory-admin render` */
import { writeFile } from 'node:fs/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { drawScoreMap } from '../../market/score-map.ts';
import { STYLE_NAMES, type StyleName } from '../../render/styles.ts';
import { jsonOption, print, withDatabase } from './command.ts';

interface Flags {
  metro?: string;
  zips?: string[];
  vertical: string;
  style: StyleName;
  size: { width: number; height: number };
  ratio: number;
  output: string;
  json?: boolean;
}

export function addRenderCommand(program: Command): void {
  program
    .command('render')
    .description('draw a metro or a list of ZIPs, coloured by a vertical’s score, as PNG')
    .addOption(new Option('--metro <slug>', 'a launched metro, e.g. dallas-tx').conflicts('zips'))
    .option('--zips <list>', 'ZIPs between commas, e.g. 75201,75204', parseZips)
    .requiredOption('--vertical <slug>', 'e.g. roofing')
    .addOption(new Option('--style <name>', 'basemap').choices([...STYLE_NAMES]).default('light'))
    .addOption(
      new Option('--size <WxH>', 'in CSS pixels, each 64 to 2048')
        .argParser(parseSize)
        .default({ width: 1200, height: 800 }, '1200x800'),
    )
    .option('--ratio <number>', 'device pixels per CSS pixel, 1 to 3', parseRatio, 1)
    .requiredOption('-o, --output <file>', 'where to put the picture')
    .addOption(jsonOption())
    .action((options: Flags, command: Command) => {
      if (!options.metro && !options.zips) command.error('error: give --metro or --zips');
      return withDatabase(async (db) => {
        const { png, ...map } = await drawScoreMap(db, {
          market: options.metro ? { metro: options.metro } : { zips: options.zips! },
          vertical: options.vertical,
          style: options.style,
          ...options.size,
          pixelRatio: options.ratio,
        });
        await writeFile(options.output, png);
        print(options, { file: options.output, bytes: png.length, ...map }, (drawn) =>
          [
            `${drawn.file}: ${drawn.zips} ZIPs, ${drawn.scored} with a score (${drawn.vintage}).`,
            ...(drawn.missing.length > 0
              ? [`Without a boundary, so not drawn: ${drawn.missing.join(', ')}.`]
              : []),
          ].join('\n'),
        );
      });
    });
}

const parseZips = (text: string) => text.split(/[,\s]+/).filter((zip) => zip !== '');

const SIDE_PX = { min: 64, max: 2048 };

function parseSize(text: string): Flags['size'] {
  const match = /^(\d+)x(\d+)$/.exec(text);
  const size = { width: Number(match?.[1]), height: Number(match?.[2]) };
  const fits = (side: number) => side >= SIDE_PX.min && side <= SIDE_PX.max;
  if (fits(size.width) && fits(size.height)) return size;
  throw new InvalidArgumentError(
    `Expected WIDTHxHEIGHT such as 1200x800, each ${SIDE_PX.min} to ${SIDE_PX.max}.`,
  );
}

function parseRatio(text: string): number {
  const ratio = Number(text);
  if (ratio >= 1 && ratio <= 3) return ratio;
  throw new InvalidArgumentError('Expected a number from 1 to 3.');
}
