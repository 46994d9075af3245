import { InvalidArgumentError, Option } from 'commander';
import { describeUnlabeled } from '../../../contract/zip-counts.ts';
import { formatCount } from '../../../text/words.ts';
import { wrapText } from '../../table.ts';
import { formatter, type Command } from '../command.ts';
import { readZips } from '../market.ts';
import { parseNumber, verticalOption } from '../options.ts';
import { toolCall } from '../tool-call.ts';

const format = formatter(
  async () =>
    (await import('../../../agent/tools/render-territory-map.ts')).renderTerritoryMap.output,
  (map, layout) =>
    [
      `${formatCount(map.zipsDrawn)} ZIP codes, ${map.pixelWidth} x ${map.pixelHeight} pixels` +
        (map.legend.length > 0 ? `: ${map.legend.map(({ label }) => label).join(', ')}` : ''),
      ...(map.zipsMissing.length > 0
        ? [`Not drawn, no boundary: ${map.zipsMissing.join(', ')}`]
        : []),
      ...(map.zipsUnlabeled > 0 ? [describeUnlabeled(map.zipsUnlabeled)] : []),
      `Source: ${map.vintage}`,
    ]
      .flatMap((line) => wrapText(line, layout.width))
      .map((line) => layout.paint('dim', line))
      .join('\n'),
);

function parseSize(text: string) {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(text) ?? [];
  if (!width) throw new InvalidArgumentError('Expected width and height, such as 1200x800.');
  return { width: Number(width), height: Number(height) };
}

export const render: Command = {
  usage: 'render [brand]',
  summary: 'draw a map of a brand, a metro, or ZIP codes, as PNG',
  options: [
    new Option('--metro <metro>', 'draw a metro instead of a brand; needs --vertical or --color'),
    new Option('--zips <zips>', 'draw these ZIP codes').conflicts('metro'),
    verticalOption('color by score instead of status'),
    new Option('--color <field>', 'color by own data: data:jobs-2025, or rate:jobs-2025'),
    new Option(
      '--classes <method>',
      'divide scores into national fifths, quantiles, or equal steps',
    ),
    new Option('--size <size>', 'width and height (default: 800x600)').argParser(parseSize),
    new Option('--ratio <ratio>', 'device pixels per CSS pixel').argParser(parseNumber),
    new Option('--style <style>', 'light, dark, or muted'),
    new Option('--basemap <name>', 'plain, or streets where the service has them'),
    new Option('--title <text>', 'title above the map; "" for none'),
    new Option('--no-labels', 'without place names'),
    new Option('--zip-labels <content>', 'labels of ZIP codes: zip, score, both, or none'),
    new Option('--no-legend', 'without a legend'),
    new Option('--composition <name>', 'arrange title and legend for a medium, such as banner'),
    new Option('--scale-bar', 'with a scale bar'),
  ],
  examples: [
    'render lone-star-roofing -o map.png',
    'render --metro phoenix-az --vertical hvac --style dark -o map.png',
    'render --zips 75201,75204,75219 --size 600x400 -o map.png',
    'render --metro dallas-tx --color data:jobs-2025 -o map.png',
  ],
  call: async ([brand], { zips, size, ...options }, readArgument) => {
    const input = {
      brand,
      metro: options.metro,
      zips: zips && (await readZips([zips as string], readArgument)),
      vertical: options.vertical,
      color: options.color,
      classes: options.classes,
      style: options.style,
      basemap: options.basemap,
      ...(size as { width: number; height: number } | undefined),
      ratio: options.ratio,
      // The size limit of answers to AI apps doesn't apply to files.
      fit: false,
      title: options.title,
      labels: options.labels,
      zipLabels: options.zipLabels,
      legend: options.legend,
      composition: options.composition,
      scaleBar: options.scaleBar,
    };
    return { ...toolCall('service_render_territory_map', input, format), type: 'image/png' };
  },
};
