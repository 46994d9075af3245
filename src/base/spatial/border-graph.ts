/**
 * The borders of a map as a graph. Its nodes are areas: each polygon of a ZIP code, and each region that no
 * ZIP code covers, such as lakes, deserts, and the outside with the oceans. Its edges are the lengths of
 * common borders. This is enough to measure any union of ZIP codes without merging their polygons.
 */

/** The area around all others */
export const OUTSIDE = 0;

/** In `BorderGraph.zips`: no ZIP code covers the area. */
export const UNCOVERED = -1;

export interface BorderGraph {
  /** ZIP code of each area, as a number */
  zips: Int32Array;
  /** Size of each area in square meters; 0 if no ZIP code covers it */
  areasM2: Float64Array;
  /** Convex hulls: longitude, latitude, longitude, … Area `i` begins at position `hullStarts[i]`. */
  hullStarts: Int32Array;
  hulls: Float64Array;
  /** Pairs of areas with a common border, each pair once */
  left: Int32Array;
  right: Int32Array;
  /** Length of the common border of each pair in meters */
  lengthsM: Float64Array;
}

const COLUMNS = [
  ['zips', Int32Array],
  ['hullStarts', Int32Array],
  ['left', Int32Array],
  ['right', Int32Array],
  ['areasM2', Float64Array],
  ['hulls', Float64Array],
  ['lengthsM', Float64Array],
] as const;

/** Returns the columns one after another, preceded by their sizes in bytes. The format is little-endian. */
export function encodeBorderGraph(graph: BorderGraph): Buffer {
  const columns = COLUMNS.map(([name]) => graph[name]);
  const sizes = Float64Array.from(columns, ({ byteLength }) => byteLength);
  return Buffer.concat([sizes, ...columns].map(bytesOf));
}

/** Reverses `encodeBorderGraph`. */
export function decodeBorderGraph(bytes: Buffer): BorderGraph {
  // Copy the bytes, because columns must start at multiples of 8.
  const copy = new Uint8Array(bytes).buffer;
  const sizes = new Float64Array(copy, 0, COLUMNS.length);
  let at = sizes.byteLength;
  const columns = COLUMNS.map(([name, Column], i) => {
    // Copy the column, because the one after an Int32Array of odd length doesn't start at a multiple of 8.
    const column = new Column(copy.slice(at, at + sizes[i]!));
    at += sizes[i]!;
    return [name, column];
  });
  return Object.fromEntries(columns) as BorderGraph;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  Buffer.from(buffer, byteOffset, byteLength);
