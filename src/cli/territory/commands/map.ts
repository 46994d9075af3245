import { Option } from 'commander';
import { path } from '../call.ts';
import { plainCall, type Command } from '../command.ts';

export const map: Command = {
  usage: 'map <metro> <vertical>',
  summary: 'draw a metro with ZIP codes colored by score, as PNG',
  options: [
    new Option('--size <size>', 'width and height, such as 1200x800'),
    new Option('--ratio <ratio>', 'device pixels per CSS pixel: 1 or 2'),
    new Option('--style <style>', 'light, dark, or muted'),
    new Option('--classes <method>', 'national fifths, quantiles, or equal steps of the scores'),
  ],
  examples: [
    'map dallas-tx roofing -o map.png',
    'map dallas-tx roofing --size 1200x800 --ratio 2 --style dark -o map.png',
    'map dallas-tx roofing > map.png',
  ],
  call: ([metro, vertical], { size, ratio, style, classes }) =>
    plainCall({
      path: path`/public/metro/${metro!}/vertical/${vertical!}/map.png`,
      query: { size, ratio, style, classes } as Record<string, string | undefined>,
      type: 'image/png',
    }),
};
