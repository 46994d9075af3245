/** Reads the local files that a style document names. Nothing is fetched over the network. */
import { realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import pLimit from 'p-limit';
import { STYLE_ASSETS } from './bounds.ts';
import { excessOf, type JsonBounds } from '../../base/spatial/json-bounds.ts';
import { InvalidSceneError } from '../errors.ts';
import { FileProblem, readBoundedFile } from './bounded-file.ts';

const LOCAL = 'local://';

/** Any other scheme, or `//host/path` */
const REMOTE = /^([a-z][a-z\d+.-]*:|\/\/)/i;

/** More concurrent reads aren't faster, and each may take 64 MB before the total is known. */
const CONCURRENT_READS = 4;

export class Assets {
  private readonly folder: string;
  private readonly reading = pLimit(CONCURRENT_READS);
  private files = 0;
  private bytes = 0;

  constructor(folder: string) {
    this.folder = resolve(folder);
  }

  /** Whether an address is local: `local://` or relative. */
  static isLocal(address: string): boolean {
    return address.startsWith(LOCAL) || !REMOTE.test(address);
  }

  /**
   * Reads a file, and decompresses gzip. Returns null if it does not exist.
   *
   * @param property the property with this address, such as `sources.roads.url`, for messages
   * @throws InvalidSceneError if the address is not local, or the file cannot be read or is too large
   */
  readBytes(address: string, property: string): Promise<Uint8Array | null> {
    const file = this.pathOf(address, property);
    return this.reading(() => this.read(file, property));
  }

  /** @throws InvalidSceneError in the cases of `readBytes`, and if the file does not exist */
  async readExisting(address: string, property: string): Promise<Uint8Array> {
    const bytes = await this.readBytes(address, property);
    if (bytes !== null) return bytes;
    const file = this.pathOf(address, property);
    throw new InvalidSceneError([
      `${property} names ${file}, which does not exist: add the file or correct the address`,
    ]);
  }

  /** @throws InvalidSceneError if the file does not exist, is not JSON, or exceeds the bounds */
  async readJson(address: string, property: string, bounds: JsonBounds): Promise<unknown> {
    const bytes = await this.readExisting(address, property);
    return parseJson(bytes, `${property} (${address})`, bounds);
  }

  private async read(file: string, property: string): Promise<Uint8Array | null> {
    const names = `${property} names ${file}, which`;
    if (++this.files > STYLE_ASSETS.files) {
      throw new InvalidSceneError([
        `the style names more than ${STYLE_ASSETS.files} files: use fewer fonts or sources`,
      ]);
    }
    try {
      const target = await realpath(file);
      if (isOutside(await realpath(this.folder), target)) {
        throw new FileProblem('leads outside the assets folder: copy the file there');
      }
      const bytes = await readBoundedFile(target, STYLE_ASSETS.bytes);
      this.count(bytes);
      return bytes;
    } catch (error) {
      if (error instanceof InvalidSceneError) throw error;
      if (error instanceof FileProblem) throw new InvalidSceneError([`${names} ${error.message}`]);
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return null;
      throw new InvalidSceneError([`${names} cannot be read: ${message}`]);
    }
  }

  /** @throws InvalidSceneError if all files of the picture together are too large */
  count({ length }: Uint8Array): void {
    this.bytes += length;
    if (this.bytes <= STYLE_ASSETS.totalBytes) return;
    throw new InvalidSceneError([
      `the files of the style have more than ${STYLE_ASSETS.totalBytes / 1024 ** 2} MB in all: ` +
        'simplify them or draw a smaller area',
    ]);
  }

  /** @throws InvalidSceneError if an address is not local */
  refuseRemote(address: string, property: string): void {
    if (!Assets.isLocal(address)) {
      throw new InvalidSceneError([
        `${property} is "${address}", but only local files are read: ` +
          'use a local:// or relative address of a file in the assets folder',
      ]);
    }
  }

  private pathOf(address: string, property: string): string {
    this.refuseRemote(address, property);
    const local = address.startsWith(LOCAL) ? address.slice(LOCAL.length) : address;
    // Our own addresses end in the version of the data.
    const path = local.replace(/\?.*$/, '');
    const file = resolve(this.folder, decodePath(path, property));
    if (isOutside(this.folder, file)) {
      throw new InvalidSceneError([
        `${property} is "${address}", which is outside the assets folder: move the file there`,
      ]);
    }
    return file;
  }
}

const isOutside = (folder: string, file: string) => relative(folder, file).split(sep)[0] === '..';

function decodePath(path: string, property: string): string {
  try {
    return decodeURIComponent(path);
  } catch (cause) {
    throw new InvalidSceneError([
      `${property} is "${path}", which is not a valid address: ${String(cause)}`,
    ]);
  }
}

/**
 * @throws InvalidSceneError if it exceeds the bounds, or with the parser's message, which names the
 *   position of the error
 */
export function parseJson(bytes: Uint8Array, name: string, bounds: JsonBounds): unknown {
  const excess = excessOf(bytes, bounds);
  if (excess !== null) throw new InvalidSceneError([`${name} ${excess}`]);
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new InvalidSceneError([`${name} is not JSON: ${(error as Error).message}`]);
  }
}
