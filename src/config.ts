/** The settings. No other module reads the environment. */
import type { BlockList } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from './errors.ts';
import { networkList } from './network.ts';

const url = (protocols: RegExp, example: string) =>
  z.string().refine((text) => URL.canParse(text) && protocols.test(new URL(text).protocol), {
    error: `must be a URL such as ${example}`,
  });

const integer = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);

const networks = z.string().transform((text, ctx) => {
  try {
    return networkList(text.split(',').map((entry) => entry.trim()));
  } catch (error) {
    ctx.addIssue(`must be a list such as 10.0.0.0/8,fd00::1: ${(error as RangeError).message}`);
    return z.NEVER;
  }
});

/** Checks and defaults by environment variable. */
const settings = z.object({
  PORT: integer(0, 65535).default(3000),
  HOST: z.string().default('0.0.0.0'),
  BASE_URL: url(/^https?:$/, 'https://territory.example.com').optional(),
  BASE_PATH: z
    .string()
    .regex(/^(\/[\w.-]+)*$/, { error: 'must be a path such as /api, without a trailing slash' })
    .default(''),
  DATABASE_URL: url(/^postgres(ql)?:$/, 'postgresql://user:secret@host:5432/name').optional(),
  DATABASE_POOL_SIZE: integer(1, 200).default(10),
  DATA_DIR: z.string().default('.data'),
  SAMPLE_DATA: z
    .enum(['auto', 'always', 'never'], { error: 'must be auto, always, or never' })
    .default('auto'),
  REDIS_URL: url(/^rediss?:$/, 'redis://host:6379').optional(),
  TRUSTED_PROXIES: networks.default(() => networkList([])),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be fatal, error, warn, info, debug, trace, or silent',
    })
    .default('info'),
  SHUTDOWN_SECONDS: integer(0, 600).default(10),
  RENDER_ENGINE: z
    .enum(['auto', 'maplibre-native', 'canvas'], {
      error: 'must be auto, maplibre-native, or canvas',
    })
    .default('auto'),
  RENDER_WORKERS: integer(1, 64).default(2),
  RENDER_QUEUE: integer(0, 10_000).default(32),
  RENDER_DEADLINE_MS: integer(100, 600_000).default(10_000),
  CENSUS_API_URL: url(/^https?:$/, 'https://api.census.gov/data').default(
    'https://api.census.gov/data',
  ),
  CENSUS_API_KEY: z.string().optional(),
});

/** Names of all environment variables that the service reads. */
export const SETTING_NAMES: readonly string[] = Object.keys(settings.shape);

export interface Config {
  /** 0 lets the system choose a free port */
  port: number;
  host: string;
  /** Public URL of the service, without a trailing slash. Default: this machine and port */
  baseUrl: string | undefined;
  /** Prefix of the API's paths, such as `/api`. Default: none */
  basePath: string;
  /** Default: the embedded database in `dataDir` */
  databaseUrl: string | undefined;
  databasePoolSize: number;
  /** Absolute path */
  dataDir: string;
  /** Whether to fill an empty database with sample data at start. `auto`: only the embedded one */
  sampleData: 'auto' | 'always' | 'never';
  /** Redis in which all processes count rate limits together. Default: each process counts alone */
  redisUrl: string | undefined;
  /** Proxies whose X-Forwarded-For is trusted */
  trustedProxies: BlockList;
  logLevel: string;
  /** How long a stopping process waits for open requests */
  shutdownSeconds: number;
  /** The engine that renders pictures */
  renderEngine: 'auto' | 'maplibre-native' | 'canvas';
  /** Threads of the canvas engine, or processes of maplibre-native */
  renderWorkers: number;
  /** Maximum number of pictures waiting for a worker; further ones get 503 */
  renderQueue: number;
  /** Limits the time that a picture waits for a worker, and then the time that it renders */
  renderDeadlineMs: number;
  censusApiUrl: string;
  censusApiKey: string | undefined;
}

/**
 * Reads the settings from a map of environment variables. An empty value counts as unset.
 * @throws ConfigError that lists every invalid setting
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const read = settings.safeParse(present);
  if (!read.success) {
    // The message leaves out the values: a DATABASE_URL may contain a password.
    throw new ConfigError(read.error.issues.map((i) => `${i.path.join('.')} ${i.message}`));
  }
  const s = read.data;
  return {
    port: s.PORT,
    host: s.HOST,
    baseUrl: s.BASE_URL?.replace(/\/+$/, ''),
    basePath: s.BASE_PATH,
    databaseUrl: s.DATABASE_URL,
    databasePoolSize: s.DATABASE_POOL_SIZE,
    dataDir: resolve(s.DATA_DIR),
    sampleData: s.SAMPLE_DATA,
    redisUrl: s.REDIS_URL,
    trustedProxies: s.TRUSTED_PROXIES,
    logLevel: s.LOG_LEVEL,
    shutdownSeconds: s.SHUTDOWN_SECONDS,
    renderEngine: s.RENDER_ENGINE,
    renderWorkers: s.RENDER_WORKERS,
    renderQueue: s.RENDER_QUEUE,
    renderDeadlineMs: s.RENDER_DEADLINE_MS,
    censusApiUrl: s.CENSUS_API_URL.replace(/\/+$/, ''),
    censusApiKey: s.CENSUS_API_KEY,
  };
}

/**
 * Returns the URL of the site.
 * @param listening the port in use, which differs from the setting for port 0
 */
export const siteRootOf = ({ baseUrl, port }: Config, listening = port) =>
  baseUrl ?? `http://localhost:${listening}`;
