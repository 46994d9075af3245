/** Rounds halves up, as JavaScript does. */
export function round(value: f64): f64 {
  const up = ceil(value);
  return up - 0.5 <= value ? up : up - 1;
}

/** Rounds a vertex coordinate to a sixteenth of a pixel, as graphics cards do. */
export function snapToSubpixel(coordinate: f64): f64 {
  return round(coordinate * 16) / 16;
}
