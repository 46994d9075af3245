/** Stops a topic of emails, with the link in one of them. */
import { openUnsubscribeLink, unsubscribe } from '../../../territories/notify/unsubscribe.ts';
import type { Page } from '../framework/page.ts';
import { unsubscribedPage, unsubscribePage } from './view.ts';

/** Enough for the single field that mail programs send, also as multipart/form-data */
const MAX_FORM_BYTES = 4_096;

export const unsubscribeRoute: Page<'anyone'> = {
  audience: 'anyone',
  path: '/unsubscribe/{token}',
  async show({ db, params, links }) {
    return unsubscribePage(params.token!, await openUnsubscribeLink(db, params.token!), links);
  },
  forms: [
    {
      fromAnywhere: true,
      uploadBytes: MAX_FORM_BYTES,
      async submit({ db, params, links }) {
        return { page: unsubscribedPage(await unsubscribe(db, params.token!), links) };
      },
    },
  ],
};
