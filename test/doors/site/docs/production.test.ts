/** Checks the examples and messages of the guide “Run it in production” against the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { MAX_BYTES } from '../../../../src/territories/own-data/import/read-upload.ts';
import { IMPORT_FILE_MB } from '../../../../src/base/contract/bounds.ts';
import { readConfig } from '../../../../src/config.ts';
import { KEEP_ALIVE_MS } from '../../../../src/doors/http/requests/server.ts';
import { createMetrics } from '../../../../src/base/observe/metrics.ts';
import { projectFile } from '../../../../src/base/geodata/project-files.ts';
import { productionExample, productionGuide } from './production-examples.ts';

const settings: string[] = [];
readConfig(new Proxy({}, { get: (_, name: string) => void settings.push(name) }));

/** Reads a file of `NAME=value` lines. */
function variablesOf(id: string): Record<string, string> {
  const lines = productionExample(id).matchAll(/^(\w+)=(.*)$/gm);
  return Object.fromEntries(Array.from(lines, ([, name, value]) => [name!, value!]));
}

const defaults = readConfig({});
const seconds = (text: string) => Number(/^(\d+)s?$/.exec(text)![1]);

describe('the compose file', () => {
  interface Service {
    ports?: string[];
    environment?: Record<string, string>;
    depends_on?: Record<string, { condition: string }>;
    volumes?: string[];
    healthcheck?: object;
    stop_grace_period?: string;
  }
  const compose = parse(productionExample('production-compose')) as {
    services: Record<string, Service>;
    volumes: Record<string, null>;
    networks: { default: { ipam: { config: { subnet: string }[] } } };
  };
  const { service } = compose.services as { service: Service };
  const variables = variablesOf('production-env');
  const used = Array.from(
    productionExample('production-compose').matchAll(/\$\{(\w+):\?\}/g),
    ([, name]) => name!,
  );

  it('sets only settings that exist, to values that the service accepts', () => {
    const own = Object.keys(variables).filter((name) => !used.includes(name));
    expect(settings).toEqual(
      expect.arrayContaining([...Object.keys(service.environment!), ...own]),
    );
    expect(Object.keys(variables)).toEqual(expect.arrayContaining(used));
    const filled = Object.entries(service.environment!).map(([name, value]) => [
      name,
      String(value).replaceAll(/\$\{(\w+):\?\}/g, (_, variable: string) => variables[variable]!),
    ]);
    const config = readConfig({ ...variables, ...Object.fromEntries(filled) });
    expect(config.baseUrl).toBe('https://territory.example.com');
    expect(new URL(config.databaseUrl!).hostname in compose.services).toBe(true);
    expect(new URL(config.redisUrl!).hostname in compose.services).toBe(true);
  });

  it('trusts its own network and publishes only the proxy', () => {
    const [network] = compose.networks.default.ipam.config;
    expect(service.environment!.TRUSTED_PROXIES).toBe(network!.subnet);
    const published = Object.keys(compose.services).filter((name) => compose.services[name]!.ports);
    expect(published).toEqual(['proxy']);
  });

  it('waits for healthy services, declares its volumes, and lets the service stop', () => {
    for (const [name, { condition }] of Object.entries(service.depends_on!)) {
      expect(condition).toBe('service_healthy');
      expect(compose.services[name]!.healthcheck).toBeDefined();
    }
    const volumes = Object.values(compose.services)
      .flatMap((one) => one.volumes ?? [])
      .map((volume) => volume.split(':')[0]!)
      .filter((name) => !name.startsWith('.'));
    expect(volumes.toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
    expect(seconds(service.stop_grace_period!)).toBeGreaterThan(defaults.shutdownSeconds);
  });
});

it('the systemd unit sets only settings that exist, and lets the service stop', () => {
  const variables = variablesOf('production-systemd-env');
  expect(settings).toEqual(expect.arrayContaining(Object.keys(variables)));
  expect(readConfig(variables).trustedProxies.check(variables.HOST!)).toBe(true);
  const unit = productionExample('production-systemd');
  expect(seconds(/^TimeoutStopSec=(.*)$/m.exec(unit)![1]!)).toBeGreaterThan(
    defaults.shutdownSeconds,
  );
});

it.each(['nginx', 'caddy'])('the limits of %s fit those of the service', (proxy) => {
  const text = productionExample(`production-${proxy}`);
  const bodyMb = Number(/(?:client_max_body_size|max_size) (\d+)M?B?m?;?\n/.exec(text)![1]);
  expect(bodyMb).toBeGreaterThan(IMPORT_FILE_MB);
  const [uploadMb] = /(?<=\/agent\/data-sets \{\s+(?:client_max_body_size|max_size) )\d+/.exec(
    text,
  )!;
  // MB of a proxy may be a million bytes.
  expect(Number(uploadMb) * 1e6 + 1e6).toBeGreaterThan(MAX_BYTES);
  const idle = seconds(/keepalive(?:_timeout)? (\d+s);?\n/.exec(text)![1]!);
  expect(idle * 1000).toBeLessThan(KEEP_ALIVE_MS);
  expect(productionGuide).toContain(`after ${KEEP_ALIVE_MS / 1000} seconds`);
  expect(productionGuide).toContain(`Accept ${bodyMb} MB. Imports have up to ${IMPORT_FILE_MB} MB`);
});

describe('the metrics', () => {
  const stats = { queued: 0, running: 0, done: 0, failed: 0, lost: 0 };
  const poolUse = () => ({ open: 0, idle: 0, waiting: 0, max: 0 });
  const metrics = createMetrics({
    renderer: { engine: 'canvas', stats },
    poolUse,
    replica: { isUsed: () => true, poolUse, lag: async () => undefined },
    streets: { current: () => null, stats: { read: 0, remembered: 0, lost: 0, damaged: 0 } },
    backlog: async () => null,
  });
  const exposed = metrics.getMetricsAsArray().map(({ name }) => name);

  it('in the alerts exist', () => {
    const { groups } = parse(productionExample('production-alerts')) as {
      groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(5);
    for (const { alert, expr, annotations } of rules) {
      const names = expr.match(/\b(?:territory|nodejs)_\w+/g) ?? [];
      const known = names.map((name) => name.replace(/_bucket$/, ''));
      expect([alert, known.filter((name) => !exposed.includes(name))]).toEqual([alert, []]);
      expect(annotations.summary).toMatch(/\.$/);
    }
  });

  it('of the service are all in the table', () => {
    const section = productionGuide.split('## Monitor')[1]!.split('### Alerts')[0]!;
    // `territory_pool_busy`, `…_idle`
    let stem = '';
    const listed = Array.from(
      section.matchAll(/`(territory_\w+|…_\w+)(?:\{[\w,]+\})?`/g),
      ([, name]) => {
        if (name!.startsWith('…')) return name!.replace('…', stem);
        stem = name!.slice(0, name!.lastIndexOf('_'));
        return name!;
      },
    );
    const own = exposed.filter((name) => name.startsWith('territory_'));
    expect(listed.toSorted()).toEqual(own.toSorted());
  });
});

it('the messages to look up are those of the service', () => {
  const folder = projectFile('src');
  const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
    // Literals over several lines, and values in them
    .replaceAll(/['`] \+\s+['`]/g, '')
    .replaceAll(/\$\{ROLE\}/g, 'territory_tenant');
  const rows = productionGuide.split('## Troubleshoot')[1]!.matchAll(/^\| (.+?) +\|/gm);
  const symptoms = Array.from(rows, ([, symptom]) => symptom!).slice(2);
  const messages = symptoms.flatMap((symptom) => symptom.match(/(?<=`)[^`]* [^`]*(?=`)/g) ?? []);
  const quoted = messages.filter((text) => !text.startsWith(' and '));
  expect(quoted.length).toBeGreaterThan(10);
  const unknown = quoted.filter((text) => !text.split('…').every((part) => code.includes(part)));
  expect(unknown).toEqual([]);
});
