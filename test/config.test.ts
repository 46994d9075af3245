import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { ConfigError } from '../src/errors.ts';

describe('the settings', () => {
  it('have defaults that start on a bare machine', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      databaseUrl: undefined,
      basePath: '',
      sampleData: 'auto',
      logLevel: 'info',
    });
  });

  it('take an empty value as unset', () => {
    expect(readConfig({ DATABASE_URL: '', PORT: '' })).toEqual(readConfig({}));
  });

  it('report every bad one at once', () => {
    const read = () => readConfig({ PORT: '70000', LOG_LEVEL: 'loud', BASE_PATH: 'api/' });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/PORT is not a whole number from 0 to 65535[^]*BASE_PATH[^]*LOG_LEVEL/);
  });

  it('never repeat a value, which may be a password', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://root:hunter2@host/db' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });

  it('drop the slash at the end of addresses', () => {
    expect(readConfig({ BASE_URL: 'https://example.com/' }).baseUrl).toBe('https://example.com');
  });
});
