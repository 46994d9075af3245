/** The look of a picture of ZIP codes: what its caller chooses, whatever is drawn. */
import type { StyleName } from '../../data/basemap/styles.ts';
import type { PictureFormat } from '../../render/scene.ts';
import type { Camera, PaddingBySide } from '../../base/spatial/camera.ts';
import type { ClassMethod } from './classes.ts';
import type { CompositionName } from './compositions.ts';
import type { Overlay } from './overlay.ts';
import type { Pin } from './place-pins.ts';
import type { Underlay } from './underlay.ts';
import type { ZipLabelContent } from './zip-labels.ts';

/** What is below the ZIP codes: streets where the service has them and the zoom is high enough, or always plain */
export const BASEMAPS = ['streets', 'plain'] as const;
export type BasemapName = (typeof BASEMAPS)[number];

/** The look of a picture. */
export interface PictureOptions {
  style: StyleName;
  /** Default: `streets` */
  basemap?: BasemapName | undefined;
  /** CSS pixels */
  width: number;
  height: number;
  /** Device pixels per CSS pixel */
  pixelRatio: number;
  format?: PictureFormat;
  /** Whether to draw only the territory, on a transparent background. Default: false */
  transparent?: boolean;
  /** Default: true */
  labels?: boolean;
  /** Content of the labels of ZIP codes, if there are labels. Default: the ZIP code */
  zipLabels?: ZipLabelContent;
  /** Whether to enlarge parts of the map that are too dense for labels. Default: true */
  insets?: boolean | undefined;
  /** Default: true */
  legend?: boolean;
  /** Default: the map's title. Empty: no title */
  title?: string;
  /** Default: the closest view of the whole territory */
  camera?: Camera;
  /** Space around the territory, CSS pixels. Default: 24, and more below */
  paddingPx?: number | PaddingBySide;
  /** Determines which furniture is shown, and where. Default: by the picture's shape */
  composition?: CompositionName | undefined;
  /** Whether to draw a scale bar. Default: depends on the composition */
  scaleBar?: boolean | undefined;
  /** Shapes and markers drawn on top. The view includes all of them */
  overlay?: Overlay;
  /** Places to show with their names. The view doesn't depend on them */
  pins?: readonly Pin[];
  /** How scores are divided into classes. Default: `national` */
  classes?: ClassMethod | undefined;
  /** Whether only to find the layout, for later maps. The picture is empty. Default: false */
  onlyLayout?: boolean;
  /** Drawn in place of land and water */
  underlay?: Underlay;
}

/** Space around the territory, CSS pixels. */
const PADDING_PX = 24;
/** Additional space below the territory, for the attribution. */
const ATTRIBUTION_PX = 12;

export function paddingOf({ paddingPx: side = PADDING_PX }: PictureOptions): PaddingBySide {
  if (typeof side !== 'number') return side;
  const bottom = Math.max(side, ATTRIBUTION_PX + PADDING_PX);
  return { top: side, right: side, bottom, left: side };
}
