/** The settings. This is the only reader of the environment. */
import type { BlockList } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from './errors.ts';
import { networkList } from './network.ts';

const url = (protocols: RegExp, example: string) =>
  z.string().refine((text) => URL.canParse(text) && protocols.test(new URL(text).protocol), {
    error: `is not a URL such as ${example}`,
  });

const integer = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `is not a whole number from ${min} to ${max}`,
    })
    .transform(Number);

const networks = z.string().transform((text, ctx) => {
  try {
    return networkList(text.split(',').map((entry) => entry.trim()));
  } catch (error) {
    ctx.addIssue(`is not a list such as 10.0.0.0/8,fd00::1: ${(error as RangeError).message}`);
    return z.NEVER;
  }
});

/** Each setting's check and default, by the name it has in the environment. */
const settings = z.object({
  PORT: integer(0, 65535).default(3000),
  HOST: z.string().default('0.0.0.0'),
  BASE_URL: url(/^https?:$/, 'https://territory.example.com').optional(),
  BASE_PATH: z
    .string()
    .regex(/^(\/[\w.-]+)*$/, { error: 'is not a path such as /api (no slash at its end)' })
    .default(''),
  DATABASE_URL: url(/^postgres(ql)?:$/, 'postgresql://user:secret@host:5432/name').optional(),
  DATABASE_POOL_SIZE: integer(1, 200).default(10),
  DATA_DIR: z.string().default('.data'),
  SAMPLE_DATA: z
    .enum(['auto', 'always', 'never'], { error: 'is none of auto, always, never' })
    .default('auto'),
  REDIS_URL: url(/^rediss?:$/, 'redis://host:6379').optional(),
  TRUSTED_PROXIES: networks.default(() => networkList([])),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'is none of fatal, error, warn, info, debug, trace, silent',
    })
    .default('info'),
  SHUTDOWN_SECONDS: integer(0, 600).default(10),
  RENDER_ENGINE: z
    .enum(['auto', 'maplibre-native', 'canvas'], {
      error: 'is none of auto, maplibre-native, canvas',
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
  /** Where people reach the service, without a slash at the end; default: this machine and port */
  baseUrl: string | undefined;
  /** Prefix of the API's paths, e.g. `/api`; empty by default: the site's root is the API's root */
  basePath: string;
  /** Undefined: the embedded database in `dataDir` */
  databaseUrl: string | undefined;
  databasePoolSize: number;
  /** Absolute */
  dataDir: string;
  /** Fill an empty database with sample data at start; `auto`: only the embedded one */
  sampleData: 'auto' | 'always' | 'never';
  /** Where limits are counted for all processes; undefined: each counts for itself */
  redisUrl: string | undefined;
  /** Whose X-Forwarded-For is believed */
  trustedProxies: BlockList;
  logLevel: string;
  /** How long a stopping process waits for the requests under way */
  shutdownSeconds: number;
  /** Who draws pictures; `auto`: maplibre-native where it can draw, else canvas */
  renderEngine: 'auto' | 'maplibre-native' | 'canvas';
  /** Threads of the canvas engine, or processes of maplibre-native */
  renderWorkers: number;
  /** Pictures that may wait for a worker; further ones are turned away */
  renderQueue: number;
  /** How long a picture may wait for a worker, and how long it may then take */
  renderDeadlineMs: number;
  censusApiUrl: string;
  censusApiKey: string | undefined;
}

/**
 * Reads the settings from a map of environment variables; an empty value counts as unset.
 * @throws ConfigError that names every setting that cannot be used
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const read = settings.safeParse(given);
  if (!read.success) {
    // A DATABASE_URL may hold a password: values are never repeated.
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

/** Where people reach the site. @param port that the service listens on, where that is known */
export const siteRootOf = ({ baseUrl, port }: Config, listening = port) =>
  baseUrl ?? `http://localhost:${listening}`;
