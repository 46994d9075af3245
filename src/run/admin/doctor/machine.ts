/** Checks the machine: Node, disk, fonts, and the rendering engine. */
import { existsSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { memoryBudget, type MemoryShares } from '../../../base/workers/memory.ts';
import { pluralize } from '../../../base/text/words.ts';
import { memorySharesOf, type Config } from '../../../config.ts';
import { ConfigError } from '../../../errors.ts';
import { commandRendererOf, reasonForEngine } from '../../start/renderer.ts';
import { cssFont, SHIPPED_FACES } from '../../../render/canvas/fonts.ts';
import type { Scene } from '../../../render/scene.ts';
import { failed, ok, warning, type CheckResult } from './check-result.ts';

/** As `engines` in package.json */
const isSupportedNode = ([major = 0, minor = 0]: readonly number[]) =>
  (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;

export function checkNode(version = process.versions.node): CheckResult {
  return isSupportedNode(version.split('.').map(Number))
    ? ok(`Node ${version}`)
    : failed(`Node ${version}`, 'Install Node 20.19 or newer, or 22.12 or newer.');
}

export function checkAddress({ baseUrl, databaseUrl, port }: Config): CheckResult {
  if (baseUrl === undefined) {
    const local = `http://localhost:${port}`;
    if (databaseUrl === undefined) return ok(`${local} (BASE_URL is not set)`);
    return warning(
      `Links and share pages lead to ${local}, because BASE_URL is not set`,
      'Set BASE_URL to the address that people use.',
    );
  }
  const { protocol, hostname } = new URL(baseUrl);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return protocol === 'https:' || isLocal
    ? ok(baseUrl)
    : warning(`${baseUrl} isn’t encrypted`, 'Serve it over https and change BASE_URL.');
}

/** Shows what each part of the service may take. */
export function checkMemory(config: Config): CheckResult {
  let shares: MemoryShares;
  try {
    shares = memorySharesOf(config);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return failed(error.problems.join('. '), 'Then run the command again.');
  }
  const { megabytes, from, processes, drawingThreads } = shares;
  const parts = Object.entries({
    'the embedded database': shares.databaseMb,
    [processes > 1 ? `in each of ${processes} processes, the program` : 'the program']:
      shares.programMb,
    'the cache': shares.cacheMb,
    [pluralize(drawingThreads, 'thread') + ' for pictures']: drawingThreads * shares.drawingMb,
    'files, exhibits, and designs': shares.jobsMb,
  });
  const list = parts.filter(([, mb]) => mb > 0).map(([name, mb]) => `${name} ${formatMb(mb)}`);
  const of = from === 'MEMORY_MB' ? from : `the ${from}, since MEMORY_MB isn’t set`;
  const detail = `${formatMb(megabytes)} (${of}): ${list.join(', ')}`;
  const actual = memoryBudget(undefined);
  return megabytes > actual.megabytes
    ? warning(
        `${detail}. The ${actual.from} has ${formatMb(actual.megabytes)} for it`,
        'Lower MEMORY_MB. Otherwise, the system may end the service.',
      )
    : ok(detail);
}

const formatMb = (megabytes: number) => formatBytes(megabytes * MB);

const MB = 1024 ** 2;
/** Space for a national import with its staging tables */
const COMFORTABLE_BYTES = 3072 * MB;
const FEWEST_BYTES = 512 * MB;

/** Checks the folder of the embedded database or, without one, the folder for temporary files. */
export async function checkDisk({ databaseUrl, dataDir }: Config): Promise<CheckResult> {
  let folder = databaseUrl === undefined ? dataDir : tmpdir();
  // The first start creates missing folders.
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch {
    return failed(`Your user can’t write to ${folder}`, 'Change its owner or permissions.');
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const detail = `${formatBytes(free)} free in ${folder}`;
  if (free < FEWEST_BYTES) return failed(detail, `Free at least ${formatBytes(FEWEST_BYTES)}.`);
  return free < COMFORTABLE_BYTES
    ? warning(detail, `A national import needs ${formatBytes(COMFORTABLE_BYTES)}.`)
    : ok(detail);
}

export const formatBytes = (bytes: number) =>
  bytes >= 1024 * MB ? `${(bytes / MB / 1024).toFixed(1)} GB` : `${Math.round(bytes / MB)} MB`;

/** Checks that all fonts of styles can be loaded. */
export function checkFonts(): CheckResult {
  for (const face of SHIPPED_FACES) {
    try {
      cssFont(face, 12);
    } catch (error) {
      return failed((error as Error).message, 'Run npm ci again.');
    }
  }
  return ok(`${SHIPPED_FACES.length} faces of Noto Sans`);
}

const PICTURE: Scene = {
  style: {
    version: 8,
    sources: {},
    layers: [{ id: 'background', type: 'background', paint: { 'background-color': '#fff' } }],
  },
  sources: {},
  view: { center: [0, 0], zoom: 0 },
  width: 64,
  height: 64,
  pixelRatio: 1,
};

/** Draws a picture with the engine that the service would use, and gives the reason for that engine. */
export async function checkEngine(config: Config): Promise<CheckResult> {
  const renderer = await commandRendererOf(config);
  try {
    const start = performance.now();
    await renderer.render(PICTURE);
    const ms = Math.round(performance.now() - start);
    return ok(`${renderer.engine}, drew a picture in ${ms} ms; ${reasonForEngine(config)}`);
  } finally {
    await renderer.close();
  }
}
