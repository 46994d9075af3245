/** `territory render`: the map of a territory. */
import { InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { count } from '../../figures.ts';
import { wrapped } from '../../table.ts';
import { reading, type Command } from '../command.ts';
import { zipsOf } from '../market.ts';
import { number, verticalOption } from '../options.ts';
import { toolCall } from '../tool-call.ts';

const About = z.object({
  pixelWidth: z.number(),
  pixelHeight: z.number(),
  zipsDrawn: z.number(),
  zipsMissing: z.array(z.string()),
  vintage: z.string(),
  legend: z.array(z.object({ label: z.string() })),
});

const text = reading(About, (about, paper) =>
  [
    `${count(about.zipsDrawn)} ZIPs on ${about.pixelWidth} x ${about.pixelHeight} pixels` +
      (about.legend.length > 0 ? `: ${about.legend.map(({ label }) => label).join(', ')}` : ''),
    ...(about.zipsMissing.length > 0
      ? [`Without a boundary: ${about.zipsMissing.join(', ')}`]
      : []),
    `Source: ${about.vintage}`,
  ]
    .flatMap((line) => wrapped(line, paper.width))
    .map((line) => paper.paint('dim', line))
    .join('\n'),
);

function size(text: string) {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(text) ?? [];
  if (!width) throw new InvalidArgumentError('Expected width and height, such as 1200x800.');
  return { width: Number(width), height: Number(height) };
}

export const render: Command = {
  usage: 'render [brand]',
  summary: 'the map of a brand, a metro or some ZIPs, as PNG',
  options: [
    new Option('--metro <metro>', 'in place of a brand; with --vertical'),
    new Option('--zips <zips>', 'or some ZIPs').conflicts('metro'),
    verticalOption('colour by its scores, not by status'),
    new Option('--size <size>', 'width and height (default: 800x600)').argParser(size),
    new Option('--ratio <ratio>', 'pixels of the picture to one of its size').argParser(number),
    new Option('--style <style>', 'light, dark or muted'),
    new Option('--title <text>', 'above the map; empty: none'),
    new Option('--no-labels', 'without names of places'),
    new Option('--no-legend', 'without a legend'),
  ],
  examples: [
    'render lone-star-roofing -o map.png',
    'render --metro phoenix-az --vertical hvac --style dark -o map.png',
    'render --zips 75201,75204,75219 --size 600x400 -o map.png',
  ],
  call: async ([brand], { zips, size, ...asked }, given) => {
    const input = {
      brand,
      metro: asked.metro,
      zips: zips && (await zipsOf([zips as string], given)),
      vertical: asked.vertical,
      style: asked.style,
      ...(size as { width: number; height: number } | undefined),
      ratio: asked.ratio,
      title: asked.title,
      labels: asked.labels,
      legend: asked.legend,
    };
    return { ...toolCall('service_render_territory_map', input, text), type: 'image/png' };
  },
};
