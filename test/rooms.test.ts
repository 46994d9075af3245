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

/** Files of `src` that all rooms may import */
const SHARED = ['config.ts', 'errors.ts'];

const isFile = new Set(sources.map(({ path }) => path));

/** The files of `src` that each file imports, for values or types. AssemblyScript omits the ending. */
const importsOfFile = new Map(
  sources.map(({ path, text }) => [
    path,
    [...text.matchAll(/(?:from|import\(|import)\s*'(\.[^']+)'/g)]
      .map(([, address]) => normalize(join(path, '..', address!)))
      .map((imported) => (isFile.has(imported) ? imported : `${imported}.ts`)),
  ]),
);

/** The rooms, and files directly in `src`, that each of these imports */
const imports = new Map<string, Set<string>>();
for (const [path, imported] of importsOfFile) {
  const room = roomOf(path);
  if (!imports.has(room)) imports.set(room, new Set());
  for (const other of imported.map(roomOf)) if (other !== room) imports.get(room)!.add(other);
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
  it('import nothing from doors, or from files that do', () => {
    const entries = [...imports].filter(([room]) => rooms.has(room) && !DOORS.includes(room));
    const crossed = entries.flatMap(([room, others]) =>
      [...others]
        .filter((other) => DOORS.includes(other) || (!rooms.has(other) && !SHARED.includes(other)))
        .map((other) => `${room} imports ${other}`),
    );
    expect(crossed).toEqual([]);
  });

  it('import one another without cycles', () => {
    // The codes of errors are part of the contract.
    const next = (room: string) => (room === 'errors.ts' ? [] : imports.get(room)!);
    expect(cyclesOf(imports.keys(), next)).toEqual([]);
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
    const all = [...importsOfFile.values()].flat();
    expect(all.length).toBeGreaterThan(7_000);
    expect(all.filter((path) => !isFile.has(path))).toEqual([]);
    expect(cyclesOf(importsOfFile.keys(), (path) => importsOfFile.get(path)!)).toEqual([]);
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
