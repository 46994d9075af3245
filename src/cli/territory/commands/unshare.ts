import { EXAMPLE_TOKEN } from '../../../share/token.ts';
import { changeCall, changeFormatter } from '../change-call.ts';
import { formatter, paragraphs, type Command } from '../command.ts';
import { formatShareLink } from '../format-share-link.ts';
import { changeOptions } from '../options.ts';

async function loadPreview() {
  const { ShareRecord } = await import('../../../agent/share-record.ts');
  const { status } = ShareRecord.shape;
  return ShareRecord.pick({ code: true, status: true }).extend({ becomes: status });
}

const format = changeFormatter(
  formatter(loadPreview, ({ code, status, becomes }) =>
    status === becomes
      ? `Link ${code} is already ${status}. Nothing would change.`
      : `Revokes link ${code} for everyone, permanently.`,
  ),
  formatter(
    async () => (await import('../../../agent/tools/revoke-share-link.ts')).revokeShareLink.output,
    ({ share, changed }, layout) =>
      paragraphs(
        layout.paint('bold', changed ? 'Link revoked' : 'Link already revoked or expired') +
          `  ${share.code}`,
        `  ${formatShareLink(share)}`,
      ),
  ),
);

export const unshare: Command = {
  usage: 'unshare <link>',
  summary: 'revoke a share link permanently',
  options: changeOptions(),
  examples: [`unshare ${EXAMPLE_TOKEN}`, `unshare ${EXAMPLE_TOKEN} --confirm`],
  call: ([link], change) => changeCall('service_revoke_share_link', { link }, change, format),
};
