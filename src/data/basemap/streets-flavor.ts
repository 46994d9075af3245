/** The colors of streets, parks, and buildings, mixed from the palette of a style. */
import { LIGHT, type Flavor } from '@protomaps/basemaps';
import type { BasemapPalette } from './palette.ts';

/** Colors that only maps with streets use */
export interface StreetColors {
  park: string;
  wood: string;
  built: string;
  building: string;
  road: string;
  casing: string;
  minorRoad: string;
  minorCasing: string;
  /** Of ZIP codes, which run along roads */
  outline: string;
  highway: string;
  highwayCasing: string;
  tunnel: string;
  rail: string;
  waterName: string;
  parkName: string;
}

type Kinds<Keys extends keyof Flavor> = Partial<Record<Keys, string>>;

/** @param land color of the ground @returns a flavor of Protomaps' styles, without points of interest */
export function streetsFlavor(
  { land, water, label, quietLabel, labelHalo }: BasemapPalette,
  colors: StreetColors,
): Flavor {
  const {
    park,
    wood,
    built,
    building,
    road,
    casing,
    minorRoad,
    highway,
    highwayCasing,
    tunnel,
    rail,
  } = colors;
  const all = <Key extends keyof Flavor>(color: string, ...keys: Key[]) =>
    Object.fromEntries(keys.map((key) => [key, color])) as Kinds<Key>;
  const { pois: _pois, landcover: _landcover, ...names } = LIGHT;
  return {
    ...names,
    ...all(land, 'background', 'earth', 'pier', 'pedestrian', 'sand', 'beach', 'glacier'),
    ...all(park, 'park_a', 'park_b', 'zoo', 'scrub_a', 'scrub_b'),
    ...all(wood, 'wood_a', 'wood_b'),
    ...all(built, 'hospital', 'industrial', 'school', 'aerodrome', 'military'),
    ...all(building, 'buildings'),
    ...all(road, 'runway'),
    water,
    ...all(minorRoad, 'other', 'minor_service', 'minor_a', 'minor_b'),
    ...all(road, 'link', 'major'),
    ...all(road, 'bridges_other', 'bridges_minor', 'bridges_link', 'bridges_major'),
    ...all(colors.minorCasing, 'minor_service_casing', 'minor_casing'),
    ...all(casing, 'link_casing'),
    ...all(casing, 'major_casing_late', 'major_casing_early', 'bridges_other_casing'),
    ...all(casing, 'bridges_minor_casing', 'bridges_link_casing', 'bridges_major_casing'),
    ...all(highway, 'highway', 'bridges_highway'),
    ...all(highwayCasing, 'highway_casing_late', 'highway_casing_early', 'bridges_highway_casing'),
    ...all(tunnel, 'tunnel_other', 'tunnel_minor', 'tunnel_link', 'tunnel_major', 'tunnel_highway'),
    ...all(casing, 'tunnel_other_casing', 'tunnel_minor_casing', 'tunnel_link_casing'),
    ...all(casing, 'tunnel_major_casing', 'tunnel_highway_casing'),
    ...all(rail, 'railway', 'boundaries'),
    ...all(quietLabel, 'roads_label_minor', 'subplace_label', 'address_label'),
    ...all(label, 'roads_label_major', 'city_label', 'state_label', 'country_label'),
    ...all(labelHalo, 'roads_label_minor_halo', 'roads_label_major_halo', 'subplace_label_halo'),
    ...all(labelHalo, 'city_label_halo', 'state_label_halo', 'address_label_halo'),
    ocean_label: colors.waterName,
  };
}
