/**
 * The inner loops of painting, in AssemblyScript: `npm run kernels` compiles them to WebAssembly. A module has
 * one memory, which holds the pixels of a surface and the arguments of calls.
 */
export { addEdges, dropArea, fillArea, startArea } from './area';
export { blendRun, fillRun, setClip, setSurface, setTint } from './blend';
export { setDash } from './dash';
export { drawHairlines } from './hairline';
export { blendMask } from './mask';
export { measureAlong, meshPoints, startLine } from './mesh';
export { fillStrip, startStrip } from './strip';
