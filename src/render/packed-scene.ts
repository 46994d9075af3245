/**
 * Packs a scene to send it to a worker. Structured clone visits every position of every shape on both
 * sides; packed positions are one list of numbers, which takes less than half of the CPU time.
 */
import type { Feature } from 'geojson';
import { isFeatures, type Scene, type SourceData } from './scene.ts';

export interface PackedScene {
  scene: Scene;
  /** Coordinates of all packed shapes, one after the other */
  numbers: Float64Array;
  /** Their lists, outermost first: the length of a list of lists, or minus that of a list of numbers */
  lists: Int32Array;
}

/** Stands for coordinates that are in `numbers`. */
const PACKED = 'packed';

/** Returns a copy without coordinates. Whatever isn't coordinates stays as it is. */
export function packScene(scene: Scene): PackedScene {
  const writer = new Writer();
  const sources = mapFeatures(scene, (feature) => {
    const geometry = shapeOf(feature);
    if (geometry === null || !writer.write(geometry.coordinates)) return feature;
    return { ...feature, geometry: { ...geometry, coordinates: PACKED as never } };
  });
  return { scene: { ...scene, sources }, ...writer.finish() };
}

export function unpackScene({ scene, numbers, lists }: PackedScene): Scene {
  let [number, list] = [0, 0];
  const read = (): unknown[] => {
    const length = lists[list++]!;
    const values: unknown[] = [];
    if (length < 0) for (let i = length; i < 0; i++) values.push(numbers[number++]);
    else for (let i = 0; i < length; i++) values.push(read());
    return values;
  };
  const sources = mapFeatures(scene, (feature) => {
    const geometry = shapeOf(feature);
    if (geometry === null || (geometry.coordinates as unknown) !== PACKED) return feature;
    return { ...feature, geometry: { ...geometry, coordinates: read() as never } };
  });
  return { ...scene, sources };
}

/** The geometry of a feature, if it has coordinates. Malformed features are the engine's to refuse. */
function shapeOf(feature: Feature | null) {
  const geometry = feature?.geometry;
  return geometry instanceof Object && 'coordinates' in geometry ? geometry : null;
}

function mapFeatures({ sources }: Scene, change: (feature: Feature) => Feature): Scene['sources'] {
  return Object.fromEntries(
    Object.entries(sources).map(([id, data]): [string, SourceData] => [
      id,
      isFeatures(data) ? data.map(change) : data,
    ]),
  );
}

class Writer {
  private numbers = new Float64Array(1 << 15);
  private lists = new Int32Array(1 << 13);
  private numberCount = 0;
  private listCount = 0;

  /** Returns false, and writes nothing, if something other than lists of lists or of numbers is inside. */
  write(value: unknown): boolean {
    const { numberCount, listCount } = this;
    if (this.writeList(value)) return true;
    this.numberCount = numberCount;
    this.listCount = listCount;
    return false;
  }

  private writeList(value: unknown): boolean {
    if (!Array.isArray(value)) return false;
    if (this.listCount === this.lists.length) this.lists = doubled(this.lists, Int32Array);
    if (typeof value[0] !== 'number') {
      this.lists[this.listCount++] = value.length;
      return value.every((inner) => this.writeList(inner));
    }
    this.lists[this.listCount++] = -value.length;
    while (this.numberCount + value.length > this.numbers.length) {
      this.numbers = doubled(this.numbers, Float64Array);
    }
    for (const number of value) {
      if (typeof number !== 'number') return false;
      this.numbers[this.numberCount++] = number;
    }
    return true;
  }

  finish(): Pick<PackedScene, 'numbers' | 'lists'> {
    return {
      numbers: this.numbers.slice(0, this.numberCount),
      lists: this.lists.slice(0, this.listCount),
    };
  }
}

function doubled<T extends Float64Array | Int32Array>(
  array: T,
  Kind: new (length: number) => T,
): T {
  const larger = new Kind(2 * array.length);
  larger.set(array);
  return larger;
}
