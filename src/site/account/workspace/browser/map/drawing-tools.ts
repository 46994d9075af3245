/** The tools that draw a shape on the map to select the ZIP codes inside. Pure. */

const DRAWING_TOOLS = ['box', 'lasso', 'polygon', 'circle'] as const;
export type DrawingTool = (typeof DRAWING_TOOLS)[number];

export const isDrawingTool = (tool: string): tool is DrawingTool =>
  (DRAWING_TOOLS as readonly string[]).includes(tool);
