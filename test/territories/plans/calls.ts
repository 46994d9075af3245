/** Calls of the plan operations with an organization's key. */
import { newClient } from '../../support/clients.ts';
import { bearer, type KeyedApp } from '../../support/keyed-app.ts';

/** Requests a path under `/agent/plans`. A body makes it a POST. */
export const requestPlans =
  (app: KeyedApp, key: string) =>
  (path: string, body?: unknown, by = key): Promise<Response> =>
    fetch(`${app.api}/agent/plans${path}`, {
      headers: { ...bearer(by), ...newClient(), 'Content-Type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });

/** Like `requestPlans`, but reads the JSON response, and adds its status. */
export function callPlans(app: KeyedApp, key: string) {
  const request = requestPlans(app, key);
  return async (path: string, body?: unknown, by = key): Promise<Record<string, any>> => {
    const response = await request(path, body, by);
    return { status: response.status, ...((await response.json()) as object) };
  };
}

/** The ZIP codes of each territory of a plan */
export const zipsOf = (plan: Record<string, any>): string[][] =>
  plan['territories'].map(({ zips }: { zips: string[] }) => zips);
