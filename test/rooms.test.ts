/** The rules of src/README.md on rooms, doors, and tables. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../src', import.meta.url));
const DOORS = ['http', 'mcp', 'site', 'cli'];
/** Checks the database itself. */
const DOCTOR = 'cli/admin/doctor/';

/** Only where a line starts with it: strings such as '/shared/*.png' contain its characters, too. */
const COMMENT = /^ *(?:\/\*[^]*?\*\/|\/\/.*)/gm;

const paths = readdirSync(ROOT, { recursive: true, encoding: 'utf8' });
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const sources = paths
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: read(path).replaceAll(COMMENT, '') }));
const rooms = new Set(
  sources
    .map(({ path }) => path)
    .filter((path) => path.includes('/'))
    .map(roomOf),
);

/** The folder of a file in `src`; for a file directly in `src`, its name. */
function roomOf(path: string): string {
  return path.split('/')[0]!;
}

/** The files of `src` that each file imports, for values or types */
const importsOfFile = new Map(
  sources.map(({ path, text }) => [
    path,
    [...text.matchAll(/(?:from|import\(|import)\s*'(\.[^']+)'/g)].map(([, address]) =>
      normalize(join(path, '..', address!)),
    ),
  ]),
);

/** The other rooms that each room imports */
const imports = new Map([...rooms].map((room) => [room, new Set<string>()]));
for (const [path, imported] of importsOfFile) {
  const room = roomOf(path);
  const others = imported.map(roomOf).filter((other) => other !== room);
  if (rooms.has(room)) for (const other of others) imports.get(room)!.add(other);
}

/** Finds the cycles of a graph, each as its nodes in order. @param next returns the nodes that a node leads to */
function cyclesOf(nodes: Iterable<string>, next: (node: string) => Iterable<string>): string[] {
  const isDone = new Set<string>();
  const cycles: string[] = [];
  const visit = (node: string, trail: readonly string[]) => {
    if (trail.includes(node)) {
      cycles.push([...trail.slice(trail.indexOf(node)), node].join(' -> '));
    } else if (!isDone.has(node)) {
      for (const other of next(node)) visit(other, [...trail, node]);
      isDone.add(node);
    }
  };
  for (const node of nodes) visit(node, []);
  return cycles;
}

/** A statement that writes a table by its name, or a staged copy that will replace or fill the table */
const WRITE = /\b(?:insert into|update|delete from) (\w+)\b|\bstaging\.table\('(\w+)'\)/g;

describe('rooms', () => {
  it('import nothing from doors', () => {
    const entries = [...imports].filter(([room]) => !DOORS.includes(room));
    const crossed = entries.flatMap(([room, others]) =>
      DOORS.filter((door) => others.has(door)).map((door) => `${room} imports ${door}`),
    );
    expect(crossed).toEqual([]);
  });

  it('import one another without cycles', () => {
    const roomsOnly = (room: string) => [...imports.get(room)!].filter((other) => rooms.has(other));
    expect(cyclesOf(imports.keys(), roomsOnly)).toEqual([]);
  });

  it('are all described in the architecture', () => {
    const architecture = read('README.md');
    expect(rooms.size).toBeGreaterThanOrEqual(28);
    expect([...rooms].filter((room) => !architecture.includes(`\n${room}/ `))).toEqual([]);
  });

  it('share no table that they write', () => {
    const schema = paths.filter((path) => /^db\/migrations\/.*\.sql$/.test(path)).map(read);
    const tables = new Set(
      [...schema.join('\n').matchAll(/create (?:unlogged )?table (\w+)/g)].map(
        (match) => match[1]!,
      ),
    );
    const writers = new Map<string, Set<string>>();
    for (const { path, text } of sources) {
      for (const [, named, staged] of text.matchAll(WRITE)) {
        const table = (named ?? staged)!;
        if (!tables.has(table)) continue;
        writers.set(table, (writers.get(table) ?? new Set<string>()).add(roomOf(path)));
      }
    }
    expect(writers.size).toBeGreaterThan(40);
    expect([...writers].filter(([, owners]) => owners.size > 1)).toEqual([]);
  });
});

describe('files', () => {
  it('import one another without cycles, types included', () => {
    expect(importsOfFile.size).toBeGreaterThan(1_000);
    const next = (path: string) => importsOfFile.get(path) ?? [];
    expect(cyclesOf(importsOfFile.keys(), next)).toEqual([]);
  });

  it('are at most 40 in a folder, and eight beside the rooms', () => {
    const counts = new Map<string, number>();
    for (const path of paths.filter((one) => extname(one) !== '')) {
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > 40)).toEqual([]);
    expect(counts.get('.')).toBeLessThanOrEqual(8);
  });
});

/** A statement in a template or in quotes */
const STATEMENT =
  /`\s*(?:select|with|insert into|update|delete from)\s[^`]*\b(?:from|into|set)\s|'(?:select|with|insert into|update|delete from) [^'\n]*\b(?:from|into|set) /;

it('doors contain no SQL', () => {
  const inDoors = sources.filter(
    ({ path }) => DOORS.includes(roomOf(path)) && !path.startsWith(DOCTOR),
  );
  expect(inDoors.length).toBeGreaterThan(500);
  expect(inDoors.filter(({ text }) => STATEMENT.test(text)).map(({ path }) => path)).toEqual([]);
  const inRooms = sources.filter(({ text }) => STATEMENT.test(text));
  expect(inRooms.length).toBeGreaterThan(100);
});
