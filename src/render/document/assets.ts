/** Reads the local files that a style document names. Nothing is fetched over the network. */
import { readFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { InvalidSceneError } from '../errors.ts';

const LOCAL = 'local://';

/** Any other scheme, or `//host/path` */
const REMOTE = /^([a-z][a-z\d+.-]*:|\/\/)/i;

export class Assets {
  private readonly folder: string;

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
   * @throws InvalidSceneError if the address is not local or the file cannot be read
   */
  async readBytes(address: string, property: string): Promise<Uint8Array | null> {
    const file = this.pathOf(address, property);
    let bytes: Buffer;
    try {
      bytes = await readFile(file);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return null;
      throw new InvalidSceneError([`${property} names ${file}, which cannot be read: ${message}`]);
    }
    return isGzip(bytes) ? gunzip(bytes, file) : bytes;
  }

  /** @throws InvalidSceneError if the file does not exist or is not JSON */
  async readJson(address: string, property: string): Promise<unknown> {
    const bytes = await this.readBytes(address, property);
    if (bytes === null) {
      const file = this.pathOf(address, property);
      throw new InvalidSceneError([
        `${property} names ${file}, which does not exist: add the file or correct the address`,
      ]);
    }
    return parseJson(Buffer.from(bytes).toString('utf8'), `${property} (${address})`);
  }

  private pathOf(address: string, property: string): string {
    if (!Assets.isLocal(address)) {
      throw new InvalidSceneError([
        `${property} is "${address}", but only local files are read: ` +
          'use a local:// or relative address of a file in the assets folder',
      ]);
    }
    const path = address.startsWith(LOCAL) ? address.slice(LOCAL.length) : address;
    const file = resolve(this.folder, decodePath(path, property));
    if (relative(this.folder, file).split(sep)[0] === '..') {
      throw new InvalidSceneError([
        `${property} is "${address}", which is outside the assets folder: move the file there`,
      ]);
    }
    return file;
  }
}

function decodePath(path: string, property: string): string {
  try {
    return decodeURIComponent(path);
  } catch (cause) {
    throw new InvalidSceneError([
      `${property} is "${path}", which is not a valid address: ${String(cause)}`,
    ]);
  }
}

const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b;

function gunzip(bytes: Uint8Array, file: string): Uint8Array {
  try {
    return gunzipSync(bytes);
  } catch (error) {
    throw new InvalidSceneError([
      `${file} is not valid gzip. Compress it again. Cause: ${String(error)}`,
    ]);
  }
}

/** @throws InvalidSceneError with the parser's message, which names the position of the error */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new InvalidSceneError([`${name} is not JSON: ${(error as Error).message}`]);
  }
}
