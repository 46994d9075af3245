/** `territory-admin render` with the service's data: a market by score, or ZIP codes by status. */
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import type { Database, Queryable } from '../../base/db/database.ts';
import { MAP_DATASETS } from '../../maps/cartography/zip-map.ts';
import type { Scene } from '../../render/scene.ts';
import { commandStreetsOf } from '../start/streets.ts';
import type { Market } from '../../data/market/market.ts';
import type { ClassMethod } from '../../maps/cartography/classes.ts';
import { COMPOSITIONS, type CompositionName } from '../../maps/cartography/compositions.ts';
import { drawScoreMap } from '../../maps/cartography/score-map.ts';
import { drawStatusMap } from '../../maps/cartography/status-map.ts';
import { openUnderlay } from '../../maps/cartography/underlay.ts';
import type { BasemapName, PictureOptions } from '../../maps/cartography/picture-options.ts';
import type { ZipMap } from '../../maps/cartography/zip-map.ts';
import { defaultZipLabels, type ZipLabelContent } from '../../maps/cartography/zip-labels.ts';
import { mapsWith, type MapRenderer } from '../../maps/cartography/map-renderer.ts';
import type { Renderer } from '../../render/renderer.ts';
import type { StyleName } from '../../data/basemap/styles.ts';
import { describeUnlabeled } from '../../base/contract/zip-counts.ts';
import { formatCount, joinFirst, pluralize } from '../../base/text/words.ts';
import { print } from './command.ts';
import { asWarning, formatOf, type PictureFlags } from './picture-options.ts';
import type { StyleFileFlags } from './render-style-file.ts';

/** Options that apply only to style files */
const STYLE_FILE_ONLY = ['assets', 'tiles', 'bearing', 'pitch'] as const;

export interface ZipFlags
  extends PictureFlags, Pick<StyleFileFlags, (typeof STYLE_FILE_ONLY)[number]> {
  metro?: string;
  state?: string;
  nation?: boolean;
  zips?: string[];
  vertical?: string;
  classes?: ClassMethod;
  live?: string[];
  pending?: string[];
  removed?: string[];
  shared?: string[];
  isolated?: string[];
  style: StyleName;
  title?: string;
  labels: boolean;
  zipLabels?: ZipLabelContent;
  insets: boolean;
  legend: boolean;
  composition?: CompositionName;
  scaleBar?: boolean;
  transparent?: boolean;
  padding?: number;
  underlay?: string;
  basemap?: BasemapName;
}

/** Default of `--size` */
const SIZE = { width: 1200, height: 800 };

export async function renderZips(
  db: Database,
  config: Config,
  renderer: Renderer,
  flags: ZipFlags,
  command: Command,
): Promise<void> {
  const warnings: string[] = [];
  const warn = (warning: string) => void warnings.push(warning);
  const engine = {
    render: (scene: Scene, signal?: AbortSignal) => renderer.render(scene, signal, warn),
  };
  const streets = flags.basemap === 'plain' ? null : await commandStreetsOf(config, db, warn);
  const maps = mapsWith(engine, streets);
  const options = pictureOptions(flags, command);
  const underlay = flags.underlay === undefined ? undefined : await openUnderlay(flags.underlay);
  const drawing = maps
    .data(db, MAP_DATASETS)
    .read((data) => draw(data, maps, flags, { ...options, underlay }, command));
  const { picture, ...map } = await drawing.finally(async () => {
    await underlay?.close();
    await streets?.close();
  });
  await writeFile(flags.output, picture);
  print(flags, { file: flags.output, bytes: picture.length, ...map, warnings }, (drawn) =>
    [
      `${drawn.file}: ${pluralize(drawn.zips, 'ZIP code')}${flags.vertical ? `, ${formatCount(drawn.scored)} with a score` : ''} (${drawn.vintage}).`,
      ...(drawn.missing.length > 0 ? [`Not drawn, no boundary: ${joinFirst(drawn.missing)}.`] : []),
      ...(drawn.unlabeled.length > 0 ? [describeUnlabeled(drawn.unlabeled.length)] : []),
      ...warnings.map(asWarning),
    ].join('\n'),
  );
}

function draw(
  db: Queryable,
  renderer: MapRenderer,
  flags: ZipFlags,
  options: PictureOptions,
  command: Command,
): Promise<ZipMap> {
  const { live, pending, removed, vertical, classes } = flags;
  const market = readMarket(flags);
  if (classes && !vertical) {
    command.error('error: --classes needs --vertical, because it divides scores');
  }
  if (live || pending || removed) {
    if (market || vertical) {
      command.error(
        'error: --live, --pending, and --removed draw a status map and cannot be combined with a market or --vertical',
      );
    }
    return drawStatusMap(db, renderer, {
      ...options,
      live,
      pending,
      removed,
      shared: flags.shared,
      isolated: flags.isolated,
    });
  }
  if (!market) {
    return command.error(
      'error: nothing to draw; use --metro, --state, --nation, --zips, --live, --pending, --removed, or --style-file',
    );
  }
  return vertical
    ? drawScoreMap(db, renderer, { ...options, market, vertical, classes })
    : drawStatusMap(db, renderer, { ...options, market });
}

function readMarket({ metro, state, nation, zips }: ZipFlags): Market | null {
  if (metro) return { metro };
  if (state) return { state };
  if (nation) return { nation };
  return zips ? { zips } : null;
}

function pictureOptions(flags: ZipFlags, command: Command): PictureOptions {
  const { center, zoom } = flags;
  for (const name of STYLE_FILE_ONLY) {
    if (flags[name] !== undefined) {
      command.error(`error: --${name} works only with --style-file`);
    }
  }
  if ((center === undefined) !== (zoom === undefined)) {
    command.error('error: use --center and --zoom together, or neither to fit all ZIP codes');
  }
  return {
    style: flags.style,
    basemap: flags.basemap,
    ...sizeOf(flags),
    composition: flags.composition,
    scaleBar: flags.scaleBar,
    format: formatOf(flags.output, command),
    transparent: flags.transparent,
    labels: flags.labels,
    zipLabels: flags.zipLabels ?? defaultZipLabels(flags.zips?.length ?? 0),
    insets: flags.insets,
    legend: flags.legend,
    title: flags.title,
    camera: center && zoom !== undefined ? { center, zoom } : undefined,
    paddingPx: flags.padding,
  };
}

/** Returns the given size and ratio, or those of the composition. */
function sizeOf({ composition, size, ratio }: ZipFlags) {
  const { width, height, pixelRatio } =
    composition === undefined ? { ...SIZE, pixelRatio: 1 } : COMPOSITIONS[composition];
  return { ...(size ?? { width, height }), pixelRatio: ratio ?? pixelRatio };
}
