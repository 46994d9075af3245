/** Guards against a person who switched organizations in another tab after a page was loaded. */
import type { Caller } from '../../../people/account/caller.ts';

/**
 * The organization that a page was rendered for: a field of its forms, and a header of its script's
 * requests
 */
export const FOR_ORGANIZATION = 'for-organization';

/**
 * Returns the message for the person, or null if the page is from the same organization or doesn't state
 * one.
 */
export const switchProblem = (
  { organization }: Pick<Caller, 'organization'>,
  madeFor: string | string[] | null | undefined,
): string | null =>
  madeFor === null || madeFor === undefined || madeFor === organization.id
    ? null
    : `You switched to ${organization.name}, but this page is from another organization. ` +
      'Nothing was changed. Go back and reload the page.';
