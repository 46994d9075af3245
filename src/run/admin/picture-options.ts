/** Shared options of both kinds of `render`: size, camera, and output file. */
import { extname } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  MAX_PITCH,
  PICTURE_FORMATS,
  PICTURE_LIMITS,
  type PictureFormat,
} from '../../render/scene.ts';
import type { LngLat } from '../../base/spatial/mercator.ts';

export interface PictureFlags {
  size?: { width: number; height: number };
  ratio?: number;
  center?: LngLat;
  zoom?: number;
  output: string;
  json?: boolean;
}

const EXTENSIONS = PICTURE_FORMATS.map((format) => `.${format}`).join(', ');

export function addPictureOptions(command: Command): Command {
  const { sidePx, pixelRatio } = PICTURE_LIMITS;
  return command
    .addOption(
      new Option(
        '--size <WxH>',
        `size in CSS pixels, each ${sidePx.min} to ${sidePx.max}`,
      ).argParser(parseSize),
    )
    .option(
      '--ratio <number>',
      `device pixels per CSS pixel, ${pixelRatio.min} to ${pixelRatio.max} (default: 1)`,
      parseRatio,
    )
    .option('--center <LNG,LAT>', 'center of the map, in degrees', parseLngLat)
    .option('--zoom <number>', 'zoom level; at 0 the world is 512 pixels wide', parseZoom)
    .requiredOption('-o, --output <file>', `file to write: ${EXTENSIONS}`);
}

/** A line that names what a picture lacks */
export const asWarning = (warning: string) => `Warning: ${warning}`;

/** Returns the format for the file's extension. */
export function formatOf(file: string, command: Command): PictureFormat {
  const format = PICTURE_FORMATS.find((name) => extname(file).toLowerCase() === `.${name}`);
  return (
    format ?? command.error(`error: "${file}" has no known extension; use one of ${EXTENSIONS}`)
  );
}

function parseSize(text: string): NonNullable<PictureFlags['size']> {
  const { min, max } = PICTURE_LIMITS.sidePx;
  const match = /^(\d+)x(\d+)$/.exec(text);
  const size = { width: Number(match?.[1]), height: Number(match?.[2]) };
  const fits = (side: number) => side >= min && side <= max;
  if (fits(size.width) && fits(size.height)) return size;
  throw new InvalidArgumentError(`Expected WIDTHxHEIGHT such as 1200x800, each ${min} to ${max}.`);
}

function parseRatio(text: string): number {
  const { min, max } = PICTURE_LIMITS.pixelRatio;
  return parseNumber(text, min, max);
}

const parseZoom = (text: string) => parseNumber(text, 0, 22);

/** Parses degrees. */
export const parseBearing = (text: string) => parseNumber(text, -360, 360);
export const parsePitch = (text: string) => parseNumber(text, 0, MAX_PITCH);

/** Parses CSS pixels. */
export const parsePadding = (text: string) => parseNumber(text, 0, 1_000);

function parseNumber(text: string, min: number, max: number): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (number >= min && number <= max) return number;
  throw new InvalidArgumentError(`Expected a number from ${min} to ${max}.`);
}

function parseLngLat(text: string): LngLat {
  const [lng, lat, ...rest] = text.split(',').map((part) => parseNumber(part, -180, 180));
  if (lng !== undefined && lat !== undefined && Math.abs(lat) <= 90 && rest.length === 0) {
    return [lng, lat];
  }
  throw new InvalidArgumentError('Expected longitude and latitude such as -96.8,32.78.');
}
