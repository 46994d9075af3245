/** Nominatim's search: https://nominatim.org/release-docs/latest/api/Search/ */
import { z } from 'zod';
import { ServerFailure } from '../../base/outside/ask-server.ts';
import { formatAddress } from './format-address.ts';
import type { GeocodingEngine } from './engine.ts';

const text = z.string().optional();

const Answer = z.array(
  z.object({
    lat: z.coerce.number().min(-90).max(90),
    lon: z.coerce.number().min(-180).max(180),
    display_name: z.string(),
    address: z
      .object({
        house_number: text,
        road: text,
        city: text,
        town: text,
        village: text,
        'ISO3166-2-lvl4': text,
      })
      .optional(),
  }),
);

export const nominatim: GeocodingEngine = {
  path: (query, limit) =>
    `/search?${new URLSearchParams({
      q: query,
      format: 'jsonv2',
      addressdetails: '1',
      countrycodes: 'us',
      limit: String(limit),
    })}`,
  read(answer) {
    const parsed = Answer.safeParse(answer);
    if (!parsed.success) throw new ServerFailure('the response is not a list of places');
    return parsed.data.map(({ lat, lon, display_name: name, address = {} }) => ({
      lat,
      lng: lon,
      label: formatAddress({
        number: address.house_number,
        street: address.road,
        city: address.city ?? address.town ?? address.village,
        state: address['ISO3166-2-lvl4']?.replace(/^US-/, ''),
        name,
      }),
    }));
  },
};
