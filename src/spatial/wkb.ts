/** Well-known binary (OGC 06-103r4) from PostGIS: a third of the size of GeoJSON. */
import type { Geometry, Position } from 'geojson';

const TYPES = {
  1: 'Point',
  2: 'LineString',
  3: 'Polygon',
  4: 'MultiPoint',
  5: 'MultiLineString',
  6: 'MultiPolygon',
  7: 'GeometryCollection',
} as const;

/**
 * Reads two-dimensional WKB, little- or big-endian.
 * @throws RangeError for other dimensions, an unknown type, or truncated bytes
 */
export function readWkb(wkb: Buffer): Geometry {
  return new Reader(wkb).geometry();
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;
  #little = true;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  geometry(): Geometry {
    this.#little = this.#bytes[this.#at++] === 1;
    const type = TYPES[this.#count() as keyof typeof TYPES];
    switch (type) {
      case 'Point':
        return { type, coordinates: this.#position() };
      case 'LineString':
        return { type, coordinates: this.#positions() };
      case 'Polygon':
        return { type, coordinates: this.#many(() => this.#positions()) };
      case 'MultiPoint':
      case 'MultiLineString':
      case 'MultiPolygon':
        return { type, coordinates: this.#many(() => this.#coordinatesOfPart()) } as Geometry;
      case 'GeometryCollection':
        return { type, geometries: this.#many(() => this.geometry()) };
      default:
        throw new RangeError('The WKB geometry type is unknown or has more than two dimensions');
    }
  }

  #coordinatesOfPart(): unknown {
    return (this.geometry() as Exclude<Geometry, { type: 'GeometryCollection' }>).coordinates;
  }

  #many<T>(read: () => T): T[] {
    return Array.from({ length: this.#count() }, read);
  }

  #positions(): Position[] {
    const positions: Position[] = [];
    for (let left = this.#count(); left > 0; left--) positions.push(this.#position());
    return positions;
  }

  #position(): Position {
    const at = this.#at;
    this.#at += 16;
    return this.#little
      ? [this.#bytes.readDoubleLE(at), this.#bytes.readDoubleLE(at + 8)]
      : [this.#bytes.readDoubleBE(at), this.#bytes.readDoubleBE(at + 8)];
  }

  #count(): number {
    const at = this.#at;
    this.#at += 4;
    return this.#little ? this.#bytes.readUInt32LE(at) : this.#bytes.readUInt32BE(at);
  }
}
