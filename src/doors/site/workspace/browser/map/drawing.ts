/** Selects by drawing on the map: a box, a lasso, a polygon, or a circle. Loads terra-draw on first use. */
import type { TerraDraw } from 'terra-draw';
import { DARK } from '../../../browser/map-view.ts';
import type { WorkspaceMap } from './map.ts';
import type { Point } from '../selection/distance.ts';
import { combine, zipsInRing } from '../selection/selection.ts';
import { store } from '../state.ts';

/** Visible in both color schemes of the map */
const outline = () => (DARK.matches ? '#ffffff' : '#111111');

async function load(map: WorkspaceMap['map']): Promise<TerraDraw> {
  const [drawing, { TerraDrawMapLibreGLAdapter }] = await Promise.all([
    import('terra-draw'),
    import('terra-draw-maplibre-gl-adapter'),
  ]);
  const ink = outline() as `#${string}`;
  const styles = {
    fillColor: ink,
    fillOpacity: 0.08,
    outlineColor: ink,
    outlineWidth: 2,
    closingPointColor: ink,
    closingPointWidth: 5,
  };
  const drawInteraction = 'click-move-or-drag';
  return new drawing.TerraDraw({
    adapter: new TerraDrawMapLibreGLAdapter({ map }),
    modes: [
      new drawing.TerraDrawRectangleMode({ modeName: 'box', styles, drawInteraction }),
      new drawing.TerraDrawFreehandMode({ modeName: 'lasso', styles, drawInteraction }),
      new drawing.TerraDrawPolygonMode({ modeName: 'polygon', styles }),
      new drawing.TerraDrawCircleMode({ modeName: 'circle', styles, drawInteraction }),
    ],
  });
}

/** Selects the ZIP codes in the shape of the chosen tool while it is being drawn. */
export function followDrawing({ map }: WorkspaceMap): void {
  let drawing: TerraDraw | null = null;
  /** The selection before the shape that is being drawn; null between shapes */
  let before: ReadonlySet<number> | null = null;

  const select = (id: string | number) => {
    const { market, selection, selectionMode } = store.get();
    const shape = drawing?.getSnapshotFeature(id)?.geometry;
    if (!market || shape?.type !== 'Polygon') return;
    before ??= selection;
    const ring = shape.coordinates[0] as unknown as Point[];
    store.update({ selection: combine(before, zipsInRing(market, ring), selectionMode) });
  };

  const start = async (tool: DrawingTool) => {
    const loaded = await load(map);
    // The person may have chosen another tool in the meantime.
    if (store.get().tool !== tool || drawing) return;
    drawing = loaded;
    drawing.on('change', (ids, type) => {
      if (type === 'create' || type === 'update') for (const id of ids) select(id);
    });
    drawing.on('finish', (id) => {
      select(id);
      before = null;
      // Wait until the library has finished the shape.
      setTimeout(() => drawing?.clear());
    });
    drawing.start();
    drawing.setMode(tool);
    // Until now, a drag still moves the map.
    map.getContainer().dataset.drawing = 'ready';
  };

  const stop = () => {
    if (!drawing) return;
    drawing.stop();
    drawing = null;
    delete map.getContainer().dataset.drawing;
    before = null;
  };

  const follow = (tool: string) => {
    if (!isDrawingTool(tool)) stop();
    else if (drawing) drawing.setMode(tool);
    else void start(tool);
  };

  store.subscribe((now, old) => {
    if (now.tool !== old.tool || now.market !== old.market) {
      before = null;
      drawing?.clear();
      follow(now.tool);
    }
  });
  // A new style lacks the layers of the drawing.
  map.on('style.load', () => {
    drawing = null;
    follow(store.get().tool);
  });
  follow(store.get().tool);
}

/** The tools that draw a shape on the map to select the ZIP codes inside. Pure. */
const DRAWING_TOOLS = ['box', 'lasso', 'polygon', 'circle'] as const;
type DrawingTool = (typeof DRAWING_TOOLS)[number];

export const isDrawingTool = (tool: string): tool is DrawingTool =>
  (DRAWING_TOOLS as readonly string[]).includes(tool);
