/**
 * Regional differences: a few anchors with smooth transitions between them. The figures are rough
 * common knowledge: the coasts are expensive, the South is cheap, and retirees move to Florida.
 */

interface Anchor {
  place: string;
  lng: number;
  lat: number;
  /** Distance at which the anchor's pull has dropped to 61% (one standard deviation) */
  reachKm: number;
  /** Added to the logarithm of household income and of home value */
  income: number;
  price: number;
  /** Years added to the median age */
  age: number;
}

const ANCHORS: Anchor[] = [
  {
    place: 'San Francisco Bay',
    lng: -122.2,
    lat: 37.6,
    reachKm: 70,
    income: 0.5,
    price: 1.2,
    age: 0,
  },
  { place: 'Los Angeles', lng: -118.0, lat: 33.9, reachKm: 110, income: 0.15, price: 1.0, age: -1 },
  { place: 'San Diego', lng: -117.1, lat: 32.9, reachKm: 50, income: 0.2, price: 0.6, age: 0 },
  {
    place: 'Central Valley',
    lng: -119.8,
    lat: 36.7,
    reachKm: 150,
    income: -0.1,
    price: 0.25,
    age: -3,
  },
  { place: 'Seattle', lng: -122.2, lat: 47.6, reachKm: 70, income: 0.35, price: 0.9, age: 0 },
  { place: 'Portland', lng: -122.6, lat: 45.5, reachKm: 80, income: 0.12, price: 0.6, age: 0 },
  { place: 'Denver', lng: -105.0, lat: 39.8, reachKm: 100, income: 0.2, price: 0.7, age: -1 },
  {
    place: 'Wasatch Front',
    lng: -111.9,
    lat: 40.6,
    reachKm: 100,
    income: 0.1,
    price: 0.5,
    age: -6,
  },
  { place: 'Phoenix', lng: -112.0, lat: 33.5, reachKm: 100, income: 0.05, price: 0.35, age: 0 },
  { place: 'Austin', lng: -97.7, lat: 30.3, reachKm: 60, income: 0.2, price: 0.5, age: -2 },
  { place: 'Rio Grande', lng: -98.5, lat: 26.5, reachKm: 150, income: -0.4, price: -0.5, age: -5 },
  {
    place: 'Mississippi Delta',
    lng: -90.8,
    lat: 33.0,
    reachKm: 200,
    income: -0.35,
    price: -0.5,
    age: -1,
  },
  { place: 'Appalachia', lng: -82.5, lat: 37.6, reachKm: 150, income: -0.35, price: -0.5, age: 2 },
  {
    place: 'Great Plains',
    lng: -99.0,
    lat: 40.0,
    reachKm: 400,
    income: -0.05,
    price: -0.25,
    age: 1,
  },
  {
    place: 'Industrial Midwest',
    lng: -84.0,
    lat: 41.0,
    reachKm: 300,
    income: -0.05,
    price: -0.2,
    age: 0,
  },
  {
    place: 'Southeast Florida',
    lng: -80.3,
    lat: 26.2,
    reachKm: 80,
    income: 0,
    price: 0.5,
    age: 3,
  },
  {
    place: 'Gulf coast of Florida',
    lng: -82.2,
    lat: 27.2,
    reachKm: 100,
    income: 0,
    price: 0.25,
    age: 8,
  },
  { place: 'Washington', lng: -77.1, lat: 38.9, reachKm: 80, income: 0.45, price: 0.7, age: 0 },
  { place: 'New York', lng: -74.0, lat: 40.8, reachKm: 90, income: 0.3, price: 0.85, age: 0 },
  { place: 'Boston', lng: -71.2, lat: 42.3, reachKm: 70, income: 0.35, price: 0.8, age: 0 },
  {
    place: 'Northern New England',
    lng: -70.0,
    lat: 45.0,
    reachKm: 200,
    income: -0.05,
    price: 0.1,
    age: 5,
  },
  { place: 'Hawaii', lng: -157.5, lat: 21.0, reachKm: 300, income: 0.2, price: 1.1, age: 1 },
  { place: 'Puerto Rico', lng: -66.4, lat: 18.2, reachKm: 200, income: -1.1, price: -0.6, age: 2 },
];

export interface Region {
  income: number;
  price: number;
  age: number;
  /** 0 in the old Northeast and Midwest, 1 where most growth came after 1970 */
  newness: number;
}

export function regionAt(lng: number, lat: number): Region {
  const region = { income: 0, price: 0, age: 0, newness: newnessAt(lng, lat) };
  for (const anchor of ANCHORS) {
    const shrink = Math.cos((anchor.lat * Math.PI) / 180);
    const distanceKm = 111.2 * Math.hypot((lng - anchor.lng) * shrink, lat - anchor.lat);
    const pull = Math.exp(-((distanceKm / anchor.reachKm) ** 2) / 2);
    region.income += anchor.income * pull;
    region.price += anchor.price * pull;
    region.age += anchor.age * pull;
  }
  return region;
}

/** Increases southward across the Virginia-Kansas line and westward across the Rocky Mountains. */
function newnessAt(lng: number, lat: number): number {
  const south = logistic((37 - lat) / 1.5);
  const west = 0.8 * logistic((-104 - lng) / 3);
  return Math.max(south, west);
}

const logistic = (x: number) => 1 / (1 + Math.exp(-x));
