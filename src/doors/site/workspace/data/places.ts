/** The organization's places that the viewer sees, for the workspace's map, filters, and distances. */
import { placesOnMap } from '../../../../territories/places/pins.ts';
import type { MemberData } from '../../framework/data.ts';

export const placesRoute: MemberData = {
  audience: 'member',
  path: '/account/map/places.json',
  answer: async ({ caller }) => ({ body: { places: await placesOnMap(caller.tenant) } }),
};
