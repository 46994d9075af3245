import { Option } from 'commander';
import { formatter, paragraphs, plainCall, type Command } from '../command.ts';
import { parseNumber } from '../options.ts';

const format = formatter(
  async () => (await import('../../../static/signed-url-schema.ts')).SignedUrl,
  ({ url, expiresAt, units }, layout) =>
    paragraphs(
      url,
      layout.paint(
        'dim',
        `Expires on ${expiresAt.slice(0, 10)}. Drawing the picture for the first time costs ${units} units.`,
      ),
    ),
);

export const signUrl: Command = {
  usage: 'sign-url <url>',
  summary: 'sign the URL of a static picture, to paste it into a website',
  options: [
    new Option('--days <days>', 'days until it expires (default: 30)').argParser(parseNumber),
  ],
  examples: [
    'sign-url /static/light/brand:lone-star-roofing/auto/600x400@2x.png',
    "sign-url '/static/dark/zips:75201,75204:hvac/auto/800x418.webp?title=Where we work' --days 90",
  ],
  call: ([url], { days }) => ({
    ...plainCall(
      { path: '/static/signed-urls', body: { url, days }, type: 'application/json' },
      format,
    ),
    needsKey: true,
  }),
};
