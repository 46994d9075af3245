/** Reads shapefiles, and the other formats that mapshaper knows. Importing it takes a second of CPU. */
import type { Feature, FeatureCollection } from 'geojson';
import mapshaper, { type Dataset, type Layer } from 'mapshaper';
import type { ShapefileParts } from './parts.ts';
import { noteLost, openShapefile, type ShapeSource } from './source.ts';

const { internal } = mapshaper;

/** @param note receives remarks for the report */
export async function readSource(
  source: ShapeSource,
  note: (text: string) => void,
): Promise<Dataset[]> {
  const job = await run(['-i', source.path, 'no-topology'], new internal.Job(), source.inputs);
  const datasets = job.catalog.getDefaultTargets().map(({ dataset }) => dataset);
  if (source.table) attachTable(datasets[0]!.layers[0]!, source, note);
  return datasets;
}

export async function projectToWgs84(dataset: Dataset): Promise<void> {
  const job = new internal.Job();
  job.catalog.addDataset(dataset);
  await run(['-proj', 'wgs84'], job, {});
}

/** Returns the features of a shapefile, in longitude and latitude. @param note receives remarks for the report */
export async function shapefileFeatures(
  parts: ShapefileParts,
  note: (text: string) => void,
): Promise<Feature[]> {
  const [dataset] = await readSource(await openShapefile(parts, false, note), note);
  await projectToWgs84(dataset!);
  const options = { geojson_type: 'FeatureCollection' };
  return (internal.exportDatasetAsGeoJSON(dataset!, options) as FeatureCollection).features;
}

function run(
  words: string[],
  job: InstanceType<typeof internal.Job>,
  inputs: ShapeSource['inputs'],
) {
  const commands = internal.parseCommands(words);
  for (const { options } of commands) options.input = inputs;
  return internal.runParsedCommands(commands, job);
}

/** Joins shapes and rows, by position. Deleted rows are left out with their shape. */
function attachTable(
  layer: Layer,
  { name, table }: ShapeSource,
  note: (text: string) => void,
): void {
  const rows = table!;
  const shapes = layer.shapes ?? rows.map(() => null);
  const kept = shapes.flatMap((_, i) => (rows[i] ? [i] : []));
  layer.shapes = kept.map((i) => shapes[i]!);
  layer.data = new internal.DataTable(kept.map((i) => rows[i]!));
  noteLost(name, rows.filter((row) => row === null).length, shapes.length - rows.length, note);
}
