/**
 * Draws styles with maplibre-gl in headless Chromium, the reference for how a style must look. The
 * page loads everything from a server in this process.
 */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { projectFile } from '../../src/base/geodata/project-files.ts';
import { PATIENCE_MS } from './patience.ts';

/** Path of the browser. Without it, tests that need one are skipped: half of the work of a run. */
const { CHROMIUM } = process.env;

export const hasChromium = CHROMIUM !== undefined;
if (CHROMIUM !== undefined && !existsSync(CHROMIUM)) {
  throw new Error(`There is no browser at ${CHROMIUM}, which CHROMIUM names.`);
}

/** Software GL, no background network requests. */
const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

let launched: Promise<Browser> | undefined;

/**
 * The browser that the test files of this worker share: a start and the first map cost seconds of CPU. It
 * closes with the worker; a file ends with `closePages`.
 */
function openChromium(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: CHROMIUM!, headless: true, args: CHROMIUM_FLAGS });
  return launched;
}

/** Opens a profile of the shared browser. Its pages wait as long as `expect.poll` does by default. */
export async function openProfile(options?: BrowserContextOptions): Promise<BrowserContext> {
  const context = await (await openChromium()).newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

export const openPages = async (): Promise<Page[]> =>
  ((await launched)?.contexts() ?? []).flatMap((context) => context.pages());

export async function closePages(): Promise<void> {
  const browser = await launched;
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

export interface ReferenceRequest {
  style: StyleSpecification;
  width: number;
  height: number;
  pixelRatio?: number;
  /** Default: the style's center and zoom */
  center?: [number, number];
  zoom?: number;
}

export interface ReferencePicture {
  png: Buffer;
  /** Placed labels: the layer and the properties of each feature */
  labels: { layer: string; properties: Record<string, unknown> }[];
  /** Errors of the page and the map */
  errors: string[];
}

/** Returns the bytes of `local://PATH` (glyphs, tiles), or null if there is no such file. */
export type LocalFiles = (path: string) => Buffer | null;

export interface Reference {
  draw(request: ReferenceRequest): Promise<ReferencePicture>;
  close(): Promise<void>;
}

/** Opens a browser with maplibre-gl for many pictures. `local` serves `local://` addresses. */
export async function openReference(local: LocalFiles = () => null): Promise<Reference> {
  const { page, close } = await openMapPage(local);
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  return {
    async draw(request) {
      errors.length = 0;
      const { png, labels, problems } = await drawOn(page, request);
      return { png: Buffer.from(png, 'base64'), labels, errors: [...errors, ...problems] };
    },
    close,
  };
}

/** Opens a page with a global `maplibregl` and an empty `#map`. */
export async function openMapPage(
  local: LocalFiles,
): Promise<{ page: Page; close(): Promise<void> }> {
  const server = await serveFiles(local);
  const page = await (await openProfile()).newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForFunction('window.ready');
  const close = async () => {
    await page.context().close();
    server.close();
  };
  return { page, close };
}

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,">
<style>body { margin: 0 }</style><div id="map"></div>
<script type="module">
  import * as maplibregl from '/maplibre-gl/maplibre-gl.mjs';
  window.maplibregl = maplibregl;
  window.ready = true;
</script></html>`;

async function serveFiles(local: LocalFiles): Promise<Server> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url!, 'http://localhost').pathname);
    const send = (bytes: Buffer | string | null, type = 'application/octet-stream') => {
      response.writeHead(bytes === null ? 404 : 200, { 'Content-Type': type });
      response.end(bytes ?? undefined);
    };
    const library = /^\/maplibre-gl\/([\w.-]+\.mjs)$/.exec(path);
    if (path === '/') send(PAGE, 'text/html');
    else if (library) {
      const file = projectFile(`node_modules/maplibre-gl/dist/${library[1]}`);
      send(readFileSync(file), 'text/javascript');
    } else if (path.startsWith('/local/')) send(local(path.slice('/local/'.length)));
    else send(null);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

interface Drawn {
  /** Base64 */
  png: string;
  labels: ReferencePicture['labels'];
  problems: string[];
}

function drawOn(page: Page, { style, ...view }: ReferenceRequest): Promise<Drawn> {
  return page.evaluate(
    async ({ json, width, height, pixelRatio, center, zoom }) => {
      // This function runs in the page, with the page's globals.
      const { Map } = (globalThis as any).maplibregl;
      const style = JSON.parse(json);
      const container = (globalThis as any).document.getElementById('map');
      container.style.cssText = `width: ${width}px; height: ${height}px`;
      const problems: string[] = [];
      const page = globalThis as any;
      const view = {
        center: center ?? style.center ?? [0, 0],
        zoom: zoom ?? style.zoom ?? 0,
        bearing: style.bearing ?? 0,
        pitch: style.pitch ?? 0,
        roll: style.roll ?? 0,
      };
      // One map draws all pictures: each new one would compile its shaders again.
      const map = (page.sharedMap ??= new Map({
        container,
        interactive: false,
        attributionControl: false,
        fadeDuration: 0,
        maxPitch: 85,
        canvasContextAttributes: { preserveDrawingBuffer: true, antialias: false },
        transformRequest: (url: string) => ({
          url: url.replace(/^local:\/\//, `${page.location.origin}/local/`),
        }),
      }));
      const report = ({ error }: { error: Error }) => problems.push(error.message);
      map.on('error', report);
      map.setPixelRatio(pixelRatio ?? 1);
      map.resize();
      map.setStyle(style, { diff: false });
      map.jumpTo(view);
      await map.once('idle');
      const symbols = map.getStyle().layers.filter((layer: any) => layer.type === 'symbol');
      const labels = map
        .queryRenderedFeatures({ layers: symbols.map((layer: any) => layer.id) })
        .map((feature: any) => ({ layer: feature.layer.id, properties: feature.properties }));
      const png = map.getCanvas().toDataURL('image/png').split(',')[1];
      map.off('error', report);
      return { png, labels, problems };
      // As JSON: TypeScript can't follow a style's type through `evaluate`.
    },
    { json: JSON.stringify(style), ...view },
  );
}
