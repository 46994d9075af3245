/** `territory unshare`: closes a share link. */
import { z } from 'zod';
import { EXAMPLE_TOKEN } from '../../../share/token.ts';
import { changeCall, changeReading } from '../change-call.ts';
import { paragraphs, type Command } from '../command.ts';
import { changeOptions } from '../options.ts';
import { ShareLink, shareText } from '../share-link.ts';

const Asked = z.object({ code: z.string(), status: z.string(), becomes: z.string() });
const Done = z.object({ share: ShareLink, changed: z.boolean() });

const text = changeReading(
  { preview: Asked, done: Done },
  {
    preview: ({ code, status, becomes }) =>
      status === becomes
        ? `The link ${code} is ${status} already: nothing would change.`
        : `The link ${code} would be closed for everybody who has it, for good.`,
    done: ({ share, changed }, paper) =>
      paragraphs(
        paper.paint('bold', changed ? 'Closed' : 'Closed already') + `  ${share.code}`,
        `  ${shareText(share)}`,
      ),
  },
);

export const unshare: Command = {
  usage: 'unshare <link>',
  summary: 'close a public link, for good',
  options: changeOptions(),
  examples: [`unshare ${EXAMPLE_TOKEN}`, `unshare ${EXAMPLE_TOKEN} --confirm`],
  call: ([link], change) => changeCall('service_revoke_share_link', { link }, change, text),
};
