import { Option } from 'commander';
import { formatCount } from '../../../text/words.ts';
import { wrapText } from '../../table.ts';
import { changeCall, changeFormatter } from '../change-call.ts';
import { formatter, paragraphs, type Command } from '../command.ts';
import { formatShareLink } from '../format-share-link.ts';
import { changeOptions, parseNumber, verticalOption } from '../options.ts';

async function loadPreview() {
  const { z } = await import('zod');
  const { ShareRecord } = await import('../../../agent/share-record.ts');
  return ShareRecord.pick({ brandName: true, kind: true, hideBranding: true }).extend({
    zips: z.int(),
    expiresInDays: z.int(),
  });
}

const format = changeFormatter(
  formatter(loadPreview, ({ brandName, kind, zips, expiresInDays, hideBranding }, layout) =>
    wrapText(
      `Creates a public link (${kind}) to the map of ${brandName}, now ${formatCount(zips)} ZIP ` +
        `codes. It expires after ${formatCount(expiresInDays)} days` +
        `${hideBranding ? ' and shows no names' : ''}.`,
      layout.width,
    ).join('\n'),
  ),
  formatter(
    async () =>
      (await import('../../../agent/tools/share-territory-map.ts')).shareTerritoryMap.output,
    ({ share, boundariesUrl }, layout) =>
      paragraphs(
        layout.paint('bold', 'Link created') + `  ${formatShareLink(share)}`,
        [
          `  Page     ${share.shareUrl}`,
          `  Picture  ${share.mapImageUrl}`,
          `  GeoJSON  ${boundariesUrl}`,
        ].join('\n'),
        `Revoke it with:\n  territory unshare ${share.code} --confirm`,
      ),
  ),
);

export const share: Command = {
  usage: 'share <brand>',
  summary: 'create a public, expiring link to a brand’s map',
  options: [
    new Option('--kind <kind>', 'brand: follows changes; zip_snapshot: stays as it is now'),
    new Option('--title <text>', 'title shown on the map'),
    verticalOption('vertical named on the map'),
    new Option('--days <days>', 'days until it expires, 1 to 365 (default: 30)').argParser(
      parseNumber,
    ),
    new Option('--hide-branding', 'show neither the brand nor who shared it'),
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
      format,
    ),
};
