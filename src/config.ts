/** The settings. No other module reads the environment. */
import type { BlockList } from 'node:net';
import { resolve } from 'node:path';
import { ConfigError } from './errors.ts';
import { networkList } from './base/text/networks.ts';
import { readWholeNumber } from './base/text/whole-number.ts';
import {
  divideMemory,
  leastMemoryMb,
  memoryBudget,
  USUAL_DRAWING_THREADS,
  type MemoryShares,
} from './base/workers/memory.ts';

export interface Config {
  /** 0 lets the system choose a free port */
  port: number;
  host: string;
  /** Number of processes that serve requests behind the port */
  webConcurrency: number;
  /** Port of `/metrics`; 0 lets the system choose one. Default: no metrics */
  metricsPort: number | undefined;
  /** Public URL of the service, without a trailing slash. Default: this machine and port */
  baseUrl: string | undefined;
  /** Prefix of the API's paths, such as `/api`. Default: none */
  basePath: string;
  /** Default: the embedded database in `dataDir` */
  databaseUrl: string | undefined;
  /** Streaming replica that serves reads of imported data. Default: the primary does */
  databaseReadUrl: string | undefined;
  /** Connections of each process, to the primary and to the replica */
  databasePoolSize: number;
  /** Time limit for a statement of a request. Operators' work has its own limits */
  databaseTimeoutMs: number;
  /** Absolute path */
  dataDir: string;
  /** Whether to fill an empty database with sample data at start. `auto`: only the embedded one */
  sampleData: 'auto' | 'always' | 'never';
  /**
   * Redis for counting rate limits and sharing answers across processes; set if `webConcurrency` is above 1.
   * Default: the process works alone
   */
  redisUrl: string | undefined;
  /** Maximum time that an answer waits for Redis */
  redisTimeoutMs: number;
  /** SMTP server for sending email. Default: no email */
  smtpUrl: string | undefined;
  /** Sender of email, `Name <address>`; set if `smtpUrl` is set */
  mailFrom: string | undefined;
  /** Valhalla or OSRM, for drive times. Default: no drive times */
  routingUrl: string | undefined;
  routingEngine: 'valhalla' | 'osrm';
  /** Time limit for computing a drive */
  routingTimeoutMs: number;
  /** Nominatim or Photon, for addresses in the search. Default: no addresses */
  geocoderUrl: string | undefined;
  geocoderEngine: 'nominatim' | 'photon';
  /** Keys of 32 bytes that encrypt stored secrets. The first one encrypts; all of them decrypt */
  secretKeys: readonly Buffer[];
  /** Private networks that may contain issuers of company sign-in. Default: only public addresses */
  issuerNetworks: BlockList;
  /** Proxies whose X-Forwarded-For is trusted */
  trustedProxies: BlockList;
  logLevel: string;
  /** Time limit for stopping a process, including open requests */
  shutdownSeconds: number;
  /** The engine that renders pictures */
  renderEngine: 'auto' | 'maplibre-native' | 'canvas';
  /** Memory of all processes, with the embedded database. Default: the limit of the container, or the machine's memory */
  memoryMb: number | undefined;
  /** Threads of the canvas engine, or processes of maplibre-native. Default: 2, or 1 with little memory */
  renderWorkers: number | undefined;
  /**
   * Threads of a process: `renderWorkers` for pictures, the others for files, exhibits, and designs. Default: of the
   * others, one for each core, and at least 4
   */
  workerThreads: number | undefined;
  /** Maximum number of pictures that wait for a worker; further ones get 503 */
  renderQueue: number;
  /** Time limit for waiting for a worker, and then for composing and drawing, with all reads */
  renderDeadlineMs: number;
  /** Archive of streets: an absolute path, or a URL. Default: none */
  basemapTiles: string | undefined;
  censusApiUrl: string;
  /** Without a trailing slash; contains the folders TIGER… and GENZ… */
  censusFilesUrl: string;
  censusApiKey: string | undefined;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const CENSUS_API = 'https://api.census.gov/data';
const CENSUS_FILES = 'https://www2.census.gov/geo/tiger';

/**
 * Reads the settings from a map of environment variables. An empty value counts as unset.
 * @throws ConfigError that lists every invalid setting
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  function read<T, Unset>(name: string, parse: (text: string) => T, unset: Unset): T | Unset {
    const text = env[name];
    if (!text) return unset;
    try {
      return parse(text);
    } catch (error) {
      problems.push(`${name} ${(error as RangeError).message}`);
      return unset;
    }
  }
  const config: Config = {
    port: read('PORT', integer(0, 65535), 3000),
    host: read('HOST', String, '0.0.0.0'),
    webConcurrency: read('WEB_CONCURRENCY', integer(1, 128), 1),
    metricsPort: read('METRICS_PORT', integer(0, 65535), undefined),
    baseUrl: read('BASE_URL', httpUrl('https://territory.example.com'), undefined),
    basePath: read('BASE_PATH', parseBasePath, ''),
    databaseUrl: read('DATABASE_URL', postgresUrl, undefined),
    databaseReadUrl: read('DATABASE_READ_URL', postgresUrl, undefined),
    databasePoolSize: read('DATABASE_POOL_SIZE', integer(1, 200), 10),
    databaseTimeoutMs: read('DATABASE_TIMEOUT_MS', integer(100, 600_000), 3_000),
    dataDir: resolve(read('DATA_DIR', String, '.data')),
    sampleData: read('SAMPLE_DATA', oneOf('auto', 'always', 'never'), 'auto'),
    redisUrl: read('REDIS_URL', url(/^rediss?:$/, 'redis://host:6379'), undefined),
    redisTimeoutMs: read('REDIS_TIMEOUT_MS', integer(5, 10_000), 50),
    smtpUrl: read('SMTP_URL', url(/^smtps?:$/, 'smtps://user:secret@smtp.example.com'), undefined),
    mailFrom: read('MAIL_FROM', parseSender, undefined),
    routingUrl: read('ROUTING_URL', httpUrl('http://valhalla:8002'), undefined),
    routingEngine: read('ROUTING_ENGINE', oneOf('valhalla', 'osrm'), 'valhalla'),
    routingTimeoutMs: read('ROUTING_TIMEOUT_MS', integer(100, 60_000), 5_000),
    geocoderUrl: read('GEOCODER_URL', httpUrl('http://nominatim:8080'), undefined),
    geocoderEngine: read('GEOCODER_ENGINE', oneOf('nominatim', 'photon'), 'nominatim'),
    secretKeys: read('SECRET_KEY', parseSecretKeys, []),
    issuerNetworks: read('ISSUER_NETWORKS', parseNetworks, networkList([])),
    trustedProxies: read('TRUSTED_PROXIES', parseNetworks, networkList([])),
    logLevel: read('LOG_LEVEL', oneOf(...LOG_LEVELS), 'info'),
    shutdownSeconds: read('SHUTDOWN_SECONDS', integer(0, 600), 10),
    renderEngine: read('RENDER_ENGINE', oneOf('auto', 'maplibre-native', 'canvas'), 'auto'),
    memoryMb: read('MEMORY_MB', integer(256, 1_048_576), undefined),
    renderWorkers: read('RENDER_WORKERS', integer(1, 64), undefined),
    workerThreads: read('WORKER_THREADS', integer(2, 256), undefined),
    renderQueue: read('RENDER_QUEUE', integer(0, 10_000), 32),
    renderDeadlineMs: read('RENDER_DEADLINE_MS', integer(100, 600_000), 30_000),
    basemapTiles: read('BASEMAP_TILES', parseArchive, undefined),
    censusApiUrl: read('CENSUS_API_URL', httpUrl(CENSUS_API), CENSUS_API),
    censusFilesUrl: read('CENSUS_FILES_URL', httpUrl(CENSUS_FILES), CENSUS_FILES),
    censusApiKey: read('CENSUS_API_KEY', String, undefined),
  };
  if (config.databaseReadUrl !== undefined && !env.DATABASE_URL) {
    problems.push(
      'DATABASE_READ_URL names a replica of the database in DATABASE_URL, which must be set, too. ' +
        'The embedded database has no replica',
    );
  }
  if (config.webConcurrency > 1 && !env.REDIS_URL) {
    problems.push(
      'REDIS_URL must be set, such as to redis://localhost:6379, because WEB_CONCURRENCY is above 1: ' +
        'processes count rate limits together in Redis',
    );
  }
  const { renderWorkers = USUAL_DRAWING_THREADS, workerThreads = Infinity } = config;
  if (workerThreads <= renderWorkers) {
    problems.push(
      `WORKER_THREADS must be above RENDER_WORKERS, which is ${renderWorkers}: files and designs need threads, too`,
    );
  }
  if (config.smtpUrl !== undefined && !env.MAIL_FROM) {
    problems.push(`MAIL_FROM must be ${SENDER}, because SMTP_URL is set`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/**
 * Returns what each part of the service may take.
 * @throws ConfigError if there is too little memory for all of them
 */
export function memorySharesOf(
  { memoryMb, databaseUrl, webConcurrency, renderWorkers }: Config,
  budget = memoryBudget(memoryMb),
): MemoryShares {
  const embedded = databaseUrl === undefined;
  const parts = { embedded, processes: webConcurrency, drawingThreads: renderWorkers };
  const shares = divideMemory(budget, parts);
  if (shares !== null) return shares;
  const { megabytes, from } = budget;
  const has =
    from === 'MEMORY_MB'
      ? `is ${megabytes}`
      : `isn’t set, and the ${from} has ${megabytes} MB for it`;
  const remedies = [
    ...(embedded ? ['use a PostGIS server, in DATABASE_URL'] : []),
    ...(webConcurrency > 1 ? ['lower WEB_CONCURRENCY'] : []),
    ...((renderWorkers ?? 1) > 1 ? ['lower RENDER_WORKERS'] : []),
  ];
  throw new ConfigError([
    `MEMORY_MB ${has}, but the service takes at least ${leastMemoryMb(parts)} MB with these settings. ` +
      ['Give it more memory', ...remedies].join(', or '),
  ]);
}

/** Whether errors are printed with their stack traces. Works even with invalid settings. */
export const showsStacks = ({ LOG_LEVEL = '' }: Record<string, string | undefined>) =>
  ['debug', 'trace'].includes(LOG_LEVEL);

// Checks without zod, because all commands read the settings at their start, and few need zod. Messages omit the values, since a DATABASE_URL may contain a password.

function check(accepted: boolean, what: string): asserts accepted {
  if (!accepted) throw new RangeError(`must be ${what}`);
}

const integer = (min: number, max: number) => (text: string) => {
  const value = readWholeNumber(text, min, max);
  check(value !== undefined, `a whole number from ${min} to ${max}`);
  return value;
};

const oneOf =
  <Word extends string>(...words: Word[]) =>
  (text: string) => {
    const word = words.find((word) => word === text);
    const others = words.slice(0, -1).join(', ');
    check(word !== undefined, `${others}${words.length > 2 ? ',' : ''} or ${words.at(-1)}`);
    return word;
  };

const url = (protocols: RegExp, example: string) => (text: string) => {
  const accepted = URL.canParse(text) && protocols.test(new URL(text).protocol);
  check(accepted, `a URL such as ${example}`);
  return text;
};

const postgresUrl = url(/^postgres(ql)?:$/, 'postgresql://user:secret@host:5432/name');

const httpUrl = (example: string) => (text: string) =>
  url(/^https?:$/, example)(text).replace(/\/+$/, '');

/** A path, which is resolved, or a URL */
function parseArchive(text: string) {
  if (!/^\w+:\/\//.test(text)) return resolve(text);
  return url(/^https?:$/, 'https://tiles.example.com/us.pmtiles, or the path of a file')(text);
}

function parseBasePath(text: string) {
  check(/^(\/[\w.-]+)*$/.test(text), 'a path such as /api, without a trailing slash');
  return text;
}

function parseSecretKeys(text: string): Buffer[] {
  return text.split(',').map((entry) => {
    check(
      /^[\w+/-]{43}=?$/.test(entry.trim()),
      'a key of 32 bytes in base64, as printed by `openssl rand -base64 32`, or a list of them',
    );
    return Buffer.from(entry.trim(), 'base64');
  });
}

const SENDER = 'a sender such as Territory <territory@example.com>';

function parseSender(text: string) {
  check(/^([^<>@"\r\n]+ <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(text), SENDER);
  return text;
}

function parseNetworks(text: string): BlockList {
  try {
    return networkList(text.split(',').map((entry) => entry.trim()));
  } catch (error) {
    check(false, `a list such as 10.0.0.0/8,fd00::1: ${(error as RangeError).message}`);
  }
}

/**
 * Returns the URL of the site.
 * @param listening the port in use, which differs from the setting if that is 0
 */
export const siteRootOf = ({ baseUrl, port }: Config, listening = port) =>
  baseUrl ?? `http://localhost:${listening}`;
