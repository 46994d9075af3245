/** Packs nested lists of numbers, such as coordinates, into two typed arrays. */

export interface PackedLists {
  /** All numbers, one after the other */
  numbers: Float64Array;
  /** The lists, outermost first. A list of lists is its length; a list of numbers is minus its length */
  lists: Int32Array;
}

export class ListWriter {
  private numbers = new Float64Array(1 << 15);
  private lists = new Int32Array(1 << 13);
  private numberCount = 0;
  private listCount = 0;

  /** Writes nested lists of numbers. Returns false, and writes nothing, if they contain any other value. */
  write(value: unknown): boolean {
    const { numberCount, listCount } = this;
    if (this.writeList(value)) return true;
    this.numberCount = numberCount;
    this.listCount = listCount;
    return false;
  }

  private writeList(value: unknown): boolean {
    if (!Array.isArray(value)) return false;
    if (this.listCount === this.lists.length) this.lists = doubleCapacity(this.lists, Int32Array);
    if (typeof value[0] !== 'number') {
      this.lists[this.listCount++] = value.length;
      return value.every((inner) => this.writeList(inner));
    }
    this.lists[this.listCount++] = -value.length;
    while (this.numberCount + value.length > this.numbers.length) {
      this.numbers = doubleCapacity(this.numbers, Float64Array);
    }
    for (const number of value) {
      if (typeof number !== 'number') return false;
      this.numbers[this.numberCount++] = number;
    }
    return true;
  }

  finish(): PackedLists {
    return {
      numbers: this.numbers.slice(0, this.numberCount),
      lists: this.lists.slice(0, this.listCount),
    };
  }
}

/** Returns a function that reads the values one by one, in the order in which they were written. */
export function listReader({ numbers, lists }: PackedLists): () => unknown[] {
  let [number, list] = [0, 0];
  const read = (): unknown[] => {
    const length = lists[list++]!;
    // Most lists are positions.
    if (length === -2) return [numbers[number++], numbers[number++]];
    const values: unknown[] = [];
    if (length < 0) for (let i = length; i < 0; i++) values.push(numbers[number++]);
    else for (let i = 0; i < length; i++) values.push(read());
    return values;
  };
  return read;
}

function doubleCapacity<T extends Float64Array | Int32Array>(
  array: T,
  Kind: new (length: number) => T,
): T {
  const larger = new Kind(2 * array.length);
  larger.set(array);
  return larger;
}
