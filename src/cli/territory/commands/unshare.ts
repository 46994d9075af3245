import type { AnswerOf } from '../../../agent/tool.ts';
import type { revokeShareLink } from '../../../agent/tools/revoke-share-link.ts';
import { EXAMPLE_TOKEN } from '../../../share/token.ts';
import { changeCall, changeFormatter } from '../change-call.ts';
import { paragraphs, type Command } from '../command.ts';
import { formatShareLink } from '../format-share-link.ts';
import { changeOptions } from '../options.ts';

interface Preview {
  code: string;
  status: string;
  /** Status after the change */
  becomes: string;
}

const format = changeFormatter<Preview, AnswerOf<typeof revokeShareLink>>({
  previewFields: ['code', 'status', 'becomes'],
  preview: ({ code, status, becomes }) =>
    status === becomes
      ? `Link ${code} is already ${status}. Nothing would change.`
      : `Revokes link ${code} for everyone, permanently.`,
  resultFields: ['share', 'changed'],
  result: ({ share, changed }, layout) =>
    paragraphs(
      layout.paint('bold', changed ? 'Link revoked' : 'Link already closed') + `  ${share.code}`,
      `  ${formatShareLink(share)}`,
    ),
});

export const unshare: Command = {
  usage: 'unshare <link>',
  summary: 'revoke a share link permanently',
  options: changeOptions(),
  examples: [`unshare ${EXAMPLE_TOKEN}`, `unshare ${EXAMPLE_TOKEN} --confirm`],
  call: ([link], change) => changeCall('service_revoke_share_link', { link }, change, format),
};
