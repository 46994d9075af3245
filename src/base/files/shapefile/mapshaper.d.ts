/** The mapshaper functions we use; the package has no types. Its version is fixed, since some are internal. */
declare module 'mapshaper' {
  import type { GeometryObject, NullObject } from 'topojson-specification';

  type Inputs = Record<string, string | Buffer | object>;
  type Path = number[][];

  export interface Layer {
    name?: string;
    /** Missing if no feature has a geometry */
    geometry_type?: 'polygon' | 'polyline' | 'point';
    /** By feature: points, or paths of arcs; `null` without a geometry */
    shapes?: (object[] | null)[];
    data?: Table | null;
  }

  export interface Table {
    getRecords(): Record<string, unknown>[];
  }

  export interface Dataset {
    layers: Layer[];
    /** Missing without polygons and lines */
    arcs?: Arcs | null;
  }

  export interface Arcs {
    size(): number;
    /** All vertices end to end: coordinates, thresholds of simplification, and the number of each arc's */
    getVertexData(): {
      xx: Float64Array;
      yy: Float64Array;
      zz: Float64Array | null;
      nn: Uint32Array;
    };
    setThresholds(thresholds: Float64Array): void;
    setRetainedInterval(interval: number): void;
  }

  interface Command {
    options: { input?: Inputs };
  }
  interface Job {
    catalog: {
      addDataset(dataset: Dataset): void;
      getDefaultTargets(): { dataset: Dataset; layers: Layer[] }[];
    };
  }
  interface SimplifyOptions {
    keep_shapes?: boolean;
  }

  const mapshaper: {
    /**
     * Runs a command line given as words. Inputs and outputs are keyed by file name; an input that
     * isn't in `inputs` is read from disk.
     */
    applyCommands(words: string[], inputs: Inputs): Promise<Record<string, string | Buffer>>;
    cmd: {
      /** Returns one layer with all features, and without columns that only some have if not forced. */
      mergeLayers(layers: Layer[], options: { force: boolean }): Layer[] | null;
    };
    internal: {
      /** How GeoJSON and FlatGeobuf are read, by type of geometry. Types of several polygons call `Polygon` */
      geojson: {
        pathImporters: {
          Polygon: (
            rings: Path[],
            importer: { importRing(ring: Path, isHole: boolean): void },
          ) => void;
        };
      };
      DataTable: new (records: object[]) => Table;
      /** Decodes text in an encoding of `iconv-lite`. */
      decodeString(bytes: Buffer, encoding: string): string;
      encodingIsSupported(name: string): boolean;
      /** Combines datasets, without finding the borders that they share. */
      mergeDatasets(datasets: Dataset[]): Dataset;
      /** Finds shared borders. */
      buildTopology(dataset: Dataset): void;
      /** Divides arcs where they cross. */
      addIntersectionCuts(dataset: Dataset, options: object): void;
      /** Returns the union of each group of a layer's shapes. Arcs must not cross. */
      dissolvePolygonGroups2(
        groups: number[][],
        layer: Layer,
        dataset: Dataset,
        options: { allow_overlaps: boolean },
      ): (object[] | null)[];
      parseCommands(words: string[]): Command[];
      Job: new () => Job;
      runParsedCommands(commands: Command[], job: Job): Promise<Job>;
      getStandardSimplifyOpts(dataset: Dataset, options: SimplifyOptions): SimplifyOptions;
      /** Gives each vertex the interval at which it disappears. */
      simplifyPaths(arcs: Arcs, options: SimplifyOptions): void;
      /** @param interval a number with an optional unit */
      convertSimplifyInterval(interval: string, dataset: Dataset, options: SimplifyOptions): number;
      /** Keeps every polygon and undoes crossings. Changes the thresholds. */
      finalizeSimplification(dataset: Dataset, options: SimplifyOptions): void;
      exportDatasetAsGeoJSON(dataset: Dataset, options: { geojson_type: string }): object;
      copyDatasetForExport(dataset: Dataset): Dataset;
      setCoordinatePrecision(dataset: Dataset, precision: number): void;
      /** Joins arcs that always occur together, and removes those without length. */
      dissolveArcs(dataset: Dataset): void;
      topojson: {
        exportLayer(
          layer: Layer,
          arcs: Arcs | null | undefined,
          options: object,
        ): { geometries: (GeometryObject | NullObject)[] };
      };
    };
  };
  export default mapshaper;
}
