/** Photon's search: https://github.com/komoot/photon#search-api */
import { z } from 'zod';
import { ServerFailure } from '../../base/outside/ask-server.ts';
import { findState } from '../../base/geodata/states.ts';
import { formatAddress } from './format-address.ts';
import type { GeocodingEngine } from './engine.ts';

const text = z.string().optional();

const Answer = z.object({
  features: z.array(
    z.object({
      geometry: z.object({
        coordinates: z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]),
      }),
      properties: z.object({
        name: text,
        housenumber: text,
        street: text,
        city: text,
        state: text,
        countrycode: text,
      }),
    }),
  ),
});

export const photon: GeocodingEngine = {
  path: (query, limit) =>
    `/api?${new URLSearchParams({ q: query, lang: 'en', limit: String(limit) })}`,
  read(answer) {
    const parsed = Answer.safeParse(answer);
    if (!parsed.success) throw new ServerFailure('the response is not a collection of places');
    // Photon can't limit its search to a country.
    return parsed.data.features
      .filter(({ properties }) => properties.countrycode?.toUpperCase() === 'US')
      .map(({ geometry, properties: { name, housenumber, street, city, state } }) => ({
        lng: geometry.coordinates[0],
        lat: geometry.coordinates[1],
        label: formatAddress({
          number: housenumber,
          street: street ?? name,
          city,
          state: state && (findState(state)?.usps ?? state),
          name: name ?? 'Address',
        }),
      }));
  },
};
