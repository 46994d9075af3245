/** Downloads from a local server that replaces the Census Bureau's and imitates its failures. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { downloadFile } from '../../../src/data/ingest/census-download/download-file.ts';
import { testFolder } from '../../support/database.ts';
import { startCensusServer } from './census-server.ts';
import { row, zipOf } from './files.ts';

const census = await startCensusServer();
afterAll(() => census.close());
const content = await zipOf('cb_2023_us_state_500k', row(60));
const PATH = 'GENZ2023/shp/cb_2023_us_state_500k.zip';
census.files.set(PATH, content);

let file: string;
beforeEach(() => {
  file = join(testFolder(), PATH);
  census.requests.length = 0;
  census.trouble = () => false;
});

const options = { retries: { tries: 4, pauseMs: 1 }, silenceMs: 5_000, spareBytes: 0 };
const download = (more: object = {}) =>
  downloadFile(`${census.url}/files/${PATH}`, file, { ...options, ...more });

/** Fails the first requests. */
function failAtFirst(times: number, fail: (response: ServerResponse) => void): void {
  let failures = 0;
  census.trouble = (_path, response) => {
    if (failures++ >= times) return false;
    fail(response);
    return true;
  };
}

describe('a download', () => {
  it('keeps the file, so that it’s requested once', async () => {
    expect(await download()).toEqual({ outcome: 'downloaded', bytes: content.length });
    expect(readFileSync(file).equals(content)).toBe(true);
    expect(await download()).toEqual({ outcome: 'present', bytes: content.length });
    expect(census.requests).toHaveLength(1);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['is busy', (response) => response.writeHead(503, { 'retry-after': '0' }).end()],
    ['closes the connection', (response) => response.destroy()],
    ['is silent', () => {}],
    ['stops in the middle', (response) => response.writeHead(200).write(content.subarray(0, 99))],
    ['sends a web page', (response) => response.end('<!doctype html><title>Maintenance</title>')],
    ['sends less than it announced', (response) => response.end(content.subarray(0, 500))],
    ['sends wrong bytes', (response) => response.end(Buffer.from(content).fill(0, 200, 260))],
  ])('tries again when the server %s', async (what, fail) => {
    failAtFirst(1, fail);
    // Only tests that wait for a silent server need a short timeout.
    const isSilent = /silent|stops/.test(what);
    const result = await download(isSilent ? { silenceMs: 500 } : {});
    expect(result).toMatchObject({ outcome: 'downloaded' });
    expect(readFileSync(file).equals(content)).toBe(true);
    expect(existsSync(`${file}.part`)).toBe(false);
  });

  it('continues after an interruption, even in another run, with the same version of the file', async () => {
    const etag = { etag: await etagOf(), 'content-length': content.length };
    failAtFirst(1, (response) => {
      response.writeHead(200, etag).write(content.subarray(0, 1000));
      const saved = () => existsSync(`${file}.part`) && statSync(`${file}.part`).size === 1000;
      const timer = setInterval(() => {
        if (!saved()) return;
        clearInterval(timer);
        response.destroy();
      }, 5);
    });
    await expect(download({ retries: { tries: 1, pauseMs: 1 } })).rejects.toThrow(/connection/);
    expect(existsSync(file)).toBe(false);
    await download();
    expect(census.requests.at(-1)).toMatch(/ bytes=1000-$/);
    expect(readFileSync(file).equals(content)).toBe(true);
  });

  it('starts again if the file on the server has changed since', async () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.part`, 'an older version');
    writeFileSync(`${file}.part.tag`, '"older"');
    await download();
    expect(readFileSync(file).equals(content)).toBe(true);
  });

  it('replaces a file that was cut off', async () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content.subarray(0, 700));
    expect(await download()).toMatchObject({ outcome: 'downloaded' });
    expect(readFileSync(file).equals(content)).toBe(true);
  });

  it('reports a file that the server doesn’t have', async () => {
    const missing = downloadFile(`${census.url}/files/TIGER2023/none.zip`, file, options);
    expect(await missing).toEqual({ outcome: 'missing' });
  });

  it.each<[string, object, (response: ServerResponse) => void, RegExp]>([
    ['the server refuses', {}, (r) => r.writeHead(403).end(), /status 403. Check the address/],
    ['the server keeps failing', {}, (r) => r.writeHead(500).end(), /^returned status 500$/],
    ['the file is too large', { maxBytes: 1000 }, (r) => r.end(content), /larger than/],
    ['the disk is too small', { spareBytes: 1e18 }, (r) => r.end(content), /Free space, or choose/],
  ])('ends with an explanation if %s', async (_what, more, respond, why) => {
    failAtFirst(9, respond);
    await expect(download(more)).rejects.toThrow(why);
    expect(existsSync(file)).toBe(false);
  });
});

async function etagOf(): Promise<string> {
  const response = await fetch(`${census.url}/files/${PATH}`);
  await response.body?.cancel();
  return response.headers.get('etag')!;
}
