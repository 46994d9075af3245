import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { ConfigError } from '../src/errors.ts';
import { isInList } from '../src/base/text/networks.ts';

describe('the configuration', () => {
  it('has defaults that need nothing to be installed', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      databaseUrl: undefined,
      basePath: '',
      sampleData: 'auto',
      logLevel: 'info',
    });
  });

  it('accepts a replica only of a database server', () => {
    const [DATABASE_URL, DATABASE_READ_URL] = ['postgres://primary/db', 'postgres://replica/db'];
    const config = readConfig({ DATABASE_URL, DATABASE_READ_URL });
    expect(config.databaseReadUrl).toBe(DATABASE_READ_URL);
    expect(() => readConfig({ DATABASE_READ_URL })).toThrow(
      /DATABASE_READ_URL .* DATABASE_URL, which must be set/,
    );
    expect(() => readConfig({ DATABASE_URL, DATABASE_READ_URL: 'replica' })).toThrow(
      /DATABASE_READ_URL must be a URL such as postgresql:/,
    );
  });

  it('selects the render engine and limits its work', () => {
    expect(readConfig({})).toMatchObject({
      renderEngine: 'auto',
      renderWorkers: undefined,
      renderQueue: 32,
      renderDeadlineMs: 30_000,
    });
    const env = { RENDER_ENGINE: 'canvas', RENDER_WORKERS: '4', RENDER_DEADLINE_MS: '500' };
    expect(readConfig({ ...env, RENDER_QUEUE: '0' })).toMatchObject({
      renderEngine: 'canvas',
      renderWorkers: 4,
      renderQueue: 0,
      renderDeadlineMs: 500,
    });
    expect(readConfig({ WORKER_THREADS: '9' })).toMatchObject({
      renderWorkers: undefined,
      workerThreads: 9,
    });
    expect(() => readConfig({ WORKER_THREADS: '4', RENDER_WORKERS: '4' })).toThrow(
      /WORKER_THREADS must be above RENDER_WORKERS, which is 4/,
    );
    expect(() => readConfig({ RENDER_ENGINE: 'gl', RENDER_WORKERS: '0' })).toThrow(
      /RENDER_ENGINE must be auto, maplibre-native, or canvas[^]*RENDER_WORKERS .* from 1 to 64/,
    );
  });

  it('trusts X-Forwarded-For only from listed proxies, by default from none', () => {
    const trusts = (text: string, address: string) =>
      isInList(readConfig({ TRUSTED_PROXIES: text }).trustedProxies, address);
    expect(trusts('', '127.0.0.1')).toBe(false);
    expect(trusts('10.0.0.0/8, fd00::1', '10.9.8.7')).toBe(true);
    expect(trusts('10.0.0.0/8, fd00::1', 'fd00::1')).toBe(true);
    expect(trusts('10.0.0.0/8, fd00::1', '11.0.0.1')).toBe(false);
    expect(() => readConfig({ TRUSTED_PROXIES: '10.0.0.0/8,proxy.example' })).toThrow(
      /TRUSTED_PROXIES must be a list .*: proxy.example is neither an address nor a range/,
    );
    expect(() => readConfig({ REDIS_URL: 'localhost:6379' })).toThrow(/REDIS_URL must be a URL/);
  });

  it('reads one or several keys of 32 bytes', () => {
    const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 250)];
    const SECRET_KEY = `${one.toString('base64')}, ${other.toString('base64url')}`;
    expect(readConfig({ SECRET_KEY }).secretKeys).toEqual([one, other]);
    expect(readConfig({}).secretKeys).toEqual([]);
    for (const wrong of ['secret', one.toString('hex'), `${SECRET_KEY},`]) {
      expect(() => readConfig({ SECRET_KEY: wrong })).toThrow(
        /SECRET_KEY must be a key of 32 bytes in base64, as printed by `openssl rand -base64 32`/,
      );
    }
  });

  it('sends email only with an SMTP server and a sender', () => {
    const SMTP_URL = 'smtps://pat:s3cret@smtp.example.com';
    expect(readConfig({})).toMatchObject({ smtpUrl: undefined, mailFrom: undefined });
    for (const MAIL_FROM of ['a@example.com', 'Territory <a@example.com>']) {
      expect(readConfig({ SMTP_URL, MAIL_FROM })).toMatchObject({
        smtpUrl: SMTP_URL,
        mailFrom: MAIL_FROM,
      });
    }
    expect(() => readConfig({ SMTP_URL })).toThrow(/MAIL_FROM must be .* because SMTP_URL is set/);
    for (const MAIL_FROM of ['Territory', 'a@example.com, b@example.com', 'A <a@b>\r\nBcc: c@d']) {
      expect(() => readConfig({ SMTP_URL, MAIL_FROM })).toThrow(/MAIL_FROM must be a sender/);
    }
    expect(() => readConfig({ SMTP_URL: 'http://host', MAIL_FROM: 'a@b.c' })).toThrow(
      /SMTP_URL must be a URL such as/,
    );
  });

  it('accepts several processes only with a Redis that counts their limits', () => {
    const REDIS_URL = 'redis://localhost:6379';
    const config = readConfig({ WEB_CONCURRENCY: '2', REDIS_URL });
    expect(config).toMatchObject({ webConcurrency: 2, redisUrl: REDIS_URL });
    expect(readConfig({ WEB_CONCURRENCY: '1' }).redisUrl).toBeUndefined();
    expect(() => readConfig({ WEB_CONCURRENCY: '2', PORT: 'x' })).toThrow(
      /PORT must be [^]*REDIS_URL must be set, such as to redis:.* because WEB_CONCURRENCY is above 1/,
    );
    expect(() => readConfig({ WEB_CONCURRENCY: '2', REDIS_URL: 'localhost' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('must be set') }),
    );
  });

  it('treats an empty value as unset', () => {
    expect(readConfig({ DATABASE_URL: '', PORT: '' })).toEqual(readConfig({}));
  });

  it('reports all invalid settings at once', () => {
    const read = () => readConfig({ PORT: '70000', LOG_LEVEL: 'loud', BASE_PATH: 'api/' });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/PORT must be a whole number from 0 to 65535[^]*BASE_PATH[^]*LOG_LEVEL/);
  });

  it('never repeats a value in an error, because it may be a password', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://root:hunter2@host/db' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });

  it('drops the trailing slash of URLs', () => {
    expect(readConfig({ BASE_URL: 'https://example.com/' }).baseUrl).toBe('https://example.com');
  });
});
