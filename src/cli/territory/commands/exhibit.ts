import { Option } from 'commander';
import { plainCall, type Command } from '../command.ts';
import { dataOption, parseNumber, verticalOption } from '../options.ts';

export const exhibit: Command = {
  usage: 'exhibit <brand>',
  summary: 'make a PDF of a brand’s territory to attach to an agreement',
  options: [
    verticalOption('add its scores'),
    dataOption('repeat for a second one'),
    new Option('--paper <paper>', 'letter or a4 (default: letter)'),
    new Option('--orientation <orientation>', 'portrait or landscape (default: by the shape)'),
    new Option(
      '--max-units <units>',
      'maximum price in units; the command fails if the exhibit costs more',
    ).argParser(parseNumber),
  ],
  examples: [
    'exhibit lone-star-roofing -o exhibit.pdf',
    'exhibit lone-star-roofing --vertical roofing --paper a4 -o exhibit.pdf',
  ],
  call: ([brand], { vertical, data, paper, orientation, maxUnits }) => ({
    ...plainCall({
      path: '/agent/territory-exhibit',
      body: { brand, vertical, dataSets: data, paper, orientation, maxUnits },
      type: 'application/pdf',
    }),
    needsKey: true,
  }),
};
