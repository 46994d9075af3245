import { html } from '../html.ts';
import type { AccountContent } from './frame.ts';
import { entryOf } from './navigation.ts';

/** Replaces the pages about passwords and second factors for people who signed in at their company. */
export const companyAccountPage = (path: string, organization: string): AccountContent => ({
  path: entryOf(path),
  main: html`<p>
      You signed in with your company account. ${organization}’s sign-in provider manages its
      password and its second factor.
    </p>
    <p class="quiet">
      If you also have a password for this service, sign out and sign in with it to change it or its
      second factor.
    </p>`,
});
