/** `territory share`: opens a brand's map to whoever has the link. */
import { Option } from 'commander';
import { z } from 'zod';
import { count } from '../../figures.ts';
import { wrapped } from '../../table.ts';
import { changeCall, changeReading } from '../change-call.ts';
import { paragraphs, type Command } from '../command.ts';
import { changeOptions, number, verticalOption } from '../options.ts';
import { ShareLink, shareText } from '../share-link.ts';

const Asked = z.object({
  brand: z.string(),
  kind: z.string(),
  zips: z.number(),
  expiresInDays: z.number(),
  hideBranding: z.boolean(),
});

const Done = z.object({ share: ShareLink, boundariesUrl: z.string() });

const text = changeReading(
  { preview: Asked, done: Done },
  {
    preview: ({ brand, kind, zips, expiresInDays, hideBranding }, paper) =>
      wrapped(
        `A public link (${kind}) to the map of ${brand}, ${count(zips)} ZIPs now, open for ` +
          `${count(expiresInDays)} days${hideBranding ? ', naming nobody' : ''}.`,
        paper.width,
      ).join('\n'),
    done: ({ share, boundariesUrl }, paper) =>
      paragraphs(
        paper.paint('bold', 'Shared') + `  ${shareText(share)}`,
        [
          `  Page     ${share.shareUrl}`,
          `  Picture  ${share.mapImageUrl}`,
          `  GeoJSON  ${boundariesUrl}`,
        ].join('\n'),
        `To close it earlier: territory unshare ${share.code} --confirm`,
      ),
  },
);

export const share: Command = {
  usage: 'share <brand>',
  summary: 'mint a public link to a brand’s map, which expires',
  options: [
    new Option('--kind <kind>', 'brand follows the brand, zip_snapshot stays as it is'),
    new Option('--title <text>', 'told on the map'),
    verticalOption('told on the map'),
    new Option('--days <days>', 'how long it is open, 1 to 365 (default: 30)').argParser(number),
    new Option('--hide-branding', 'name neither the brand nor who shared it'),
    ...changeOptions(),
  ],
  examples: [
    'share lone-star-roofing --title "Where we roof"',
    'share lone-star-roofing --kind zip_snapshot --days 7 --confirm',
  ],
  call: ([brand], { kind, title, vertical, days, hideBranding, ...change }) =>
    changeCall(
      'service_share_territory_map',
      { brand, kind, title, vertical, expiresInDays: days, hideBranding },
      change,
      text,
    ),
};
