/** The folder that a style document's addresses are looked up in. Nothing is ever fetched. */
import { readFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { InvalidSceneError } from '../errors.ts';

const LOCAL = 'local://';

/** Any other scheme, and `//host/path` */
const REMOTE = /^([a-z][a-z\d+.-]*:|\/\/)/i;

export class Assets {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = resolve(folder);
  }

  /** Whether an address is one that this folder can answer. */
  static isLocal(address: string): boolean {
    return address.startsWith(LOCAL) || !REMOTE.test(address);
  }

  /**
   * The bytes at an address, uncompressed where they were gzipped; null where there is no file.
   *
   * @param place who asks, e.g. `sources.roads.url`, for messages
   * @throws InvalidSceneError for an address elsewhere
   */
  async bytes(address: string, place: string): Promise<Uint8Array | null> {
    const file = this.path(address, place);
    let bytes: Buffer;
    try {
      bytes = await readFile(file);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return null;
      throw new InvalidSceneError([`${place} names ${file}, which cannot be read: ${message}`]);
    }
    return isGzip(bytes) ? gunzip(bytes, file) : bytes;
  }

  /** @throws InvalidSceneError where there is no such file, or it holds no JSON */
  async json(address: string, place: string): Promise<unknown> {
    const bytes = await this.bytes(address, place);
    if (bytes === null) {
      const file = this.path(address, place);
      throw new InvalidSceneError([`${place} names ${file}, which does not exist`]);
    }
    return parseJson(Buffer.from(bytes).toString('utf8'), `${place} (${address})`);
  }

  private path(address: string, place: string): string {
    if (!Assets.isLocal(address)) {
      throw new InvalidSceneError([
        `${place} is "${address}", but nothing is fetched: ` +
          'give a local:// or relative address of a file among the assets',
      ]);
    }
    const path = address.startsWith(LOCAL) ? address.slice(LOCAL.length) : address;
    const file = resolve(this.folder, decoded(path, place));
    if (relative(this.folder, file).split(sep)[0] === '..') {
      throw new InvalidSceneError([`${place} is "${address}", which lies outside of the assets`]);
    }
    return file;
  }
}

function decoded(path: string, place: string): string {
  try {
    return decodeURIComponent(path);
  } catch (cause) {
    throw new InvalidSceneError([`${place} is "${path}", which is no address: ${String(cause)}`]);
  }
}

const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b;

function gunzip(bytes: Uint8Array, file: string): Uint8Array {
  try {
    return gunzipSync(bytes);
  } catch (error) {
    throw new InvalidSceneError([`${file} is gzipped, but broken: ${String(error)}`]);
  }
}

/** @throws InvalidSceneError with the parser's own words: they show where it stopped */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new InvalidSceneError([`${name} is not JSON: ${(error as Error).message}`]);
  }
}
