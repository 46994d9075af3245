/**
 * Regional differences: a few anchors with smooth transitions between them. The figures follow rough common
 * knowledge: the coasts are expensive, the South is cheap, and retirees move to Florida.
 */

/**
 * `reachKm`: distance at which the anchor's pull has dropped to 61% (one standard deviation). `income`
 * and `price` are added to the logarithm of household income and of home value, `age` to the median age.
 */
type Anchor = readonly [
  place: string,
  ...[lng: number, lat: number, reachKm: number],
  ...[income: number, price: number, age: number],
];

const ANCHORS: readonly Anchor[] = [
  ['San Francisco Bay', -122.2, 37.6, 70, 0.5, 1.2, 0],
  ['Los Angeles', -118.0, 33.9, 110, 0.15, 1.0, -1],
  ['San Diego', -117.1, 32.9, 50, 0.2, 0.6, 0],
  ['Central Valley', -119.8, 36.7, 150, -0.1, 0.25, -3],
  ['Seattle', -122.2, 47.6, 70, 0.35, 0.9, 0],
  ['Portland', -122.6, 45.5, 80, 0.12, 0.6, 0],
  ['Denver', -105.0, 39.8, 100, 0.2, 0.7, -1],
  ['Wasatch Front', -111.9, 40.6, 100, 0.1, 0.5, -6],
  ['Phoenix', -112.0, 33.5, 100, 0.05, 0.35, 0],
  ['Austin', -97.7, 30.3, 60, 0.2, 0.5, -2],
  ['Rio Grande', -98.5, 26.5, 150, -0.4, -0.5, -5],
  ['Mississippi Delta', -90.8, 33.0, 200, -0.35, -0.5, -1],
  ['Appalachia', -82.5, 37.6, 150, -0.35, -0.5, 2],
  ['Great Plains', -99.0, 40.0, 400, -0.05, -0.25, 1],
  ['Industrial Midwest', -84.0, 41.0, 300, -0.05, -0.2, 0],
  ['Southeast Florida', -80.3, 26.2, 80, 0, 0.5, 3],
  ['Gulf coast of Florida', -82.2, 27.2, 100, 0, 0.25, 8],
  ['Washington', -77.1, 38.9, 80, 0.45, 0.7, 0],
  ['New York', -74.0, 40.8, 90, 0.3, 0.85, 0],
  ['Boston', -71.2, 42.3, 70, 0.35, 0.8, 0],
  ['Northern New England', -70.0, 45.0, 200, -0.05, 0.1, 5],
  ['Hawaii', -157.5, 21.0, 300, 0.2, 1.1, 1],
  ['Puerto Rico', -66.4, 18.2, 200, -1.1, -0.6, 2],
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
  for (const [, anchorLng, anchorLat, reachKm, income, price, age] of ANCHORS) {
    const shrink = Math.cos((anchorLat * Math.PI) / 180);
    const distanceKm = 111.2 * Math.hypot((lng - anchorLng) * shrink, lat - anchorLat);
    const pull = Math.exp(-((distanceKm / reachKm) ** 2) / 2);
    region.income += income * pull;
    region.price += price * pull;
    region.age += age * pull;
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
