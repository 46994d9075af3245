/** Addresses of company sign-in. Each organization has its own, so that the answer of one provider can't pass as another's. */

const ROOT = '/login/company';

export const START_ROUTE = `${ROOT}/{organization}`;
export const CALLBACK_ROUTE = `${START_ROUTE}/callback`;
export const LOGOUT_ROUTE = `${START_ROUTE}/logout`;
/** Where a signed-in person decides whether another person's sign-in takes the place of theirs */
export const SWITCH_ROUTE = `${START_ROUTE}/switch`;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether an address's `organization` can be an organization's id. Anyone can write another one. */
export const isOrganizationId = (text: string) => UUID.test(text);

const pathFor = (route: string, organizationId: string) =>
  route.replace('{organization}', encodeURIComponent(organizationId));

/** Where the provider sends the browser after the sign-in */
export const callbackPath = (organizationId: string) => pathFor(CALLBACK_ROUTE, organizationId);

/** Where the provider sends logout tokens */
export const logoutPath = (organizationId: string) => pathFor(LOGOUT_ROUTE, organizationId);

interface StartOptions {
  /** The page to return to */
  next?: string;
  /** Whether the provider asks the person to prove their identity again */
  again?: '1';
  /** Token of an invitation to accept */
  invitation?: string;
}

/** Fields of the form that leaves for the provider, and of the query of its page */
export const START_FIELDS = ['next', 'again', 'invitation'] as const;

/** Form of the answer to the question whether to switch */
export const switchPath = (organizationId: string) => pathFor(SWITCH_ROUTE, organizationId);

/** The page from which a person leaves for the provider's sign-in page */
export function companySignInPath(organizationId: string, options: StartOptions = {}): string {
  const query = new URLSearchParams({ ...options }).toString();
  return pathFor(START_ROUTE, organizationId) + (query === '' ? '' : `?${query}`);
}
