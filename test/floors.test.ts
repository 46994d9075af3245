/** The rules of src/README.md on floors, rooms, doors, and tables. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../src', import.meta.url));
/** Checks the database itself. */
const DOCTOR = 'run/admin/doctor/';

/** Only where a line starts with it: strings such as '/shared/*.png' contain its characters, too. */
const COMMENT = /^ *(?:\/\*[^]*?\*\/|\/\/.*)/gm;

const paths = readdirSync(ROOT, { recursive: true, encoding: 'utf8' });
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const sources = paths
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: read(path).replaceAll(COMMENT, '') }));
const README = read('README.md');

/** From the ground up. Files directly in `src` are on the roof, except for those that all floors may import. */
const FLOORS = [...README.matchAll(/^(\w+)\/ {2,}\S/gm)].map((match) => match[1]!).reverse();
const ROOF = FLOORS.length;
const SHARED = ['config.ts', 'errors.ts'];

/** Packages that belong to some floors or rooms, and who may import them */
const PACKAGES: readonly [name: RegExp, importers: RegExp][] = [
  [/^(koa|@koa\/.*)$/, /^(app\.ts|doors)/],
  [/^commander$/, /^(doors\/cli|run)/],
  [/^pg$/, /^base\/db/],
];

const floorOf = (path: string) => path.split('/')[0]!;

function levelOf(path: string): number {
  if (SHARED.includes(path)) return -1;
  return path.includes('/') ? FLOORS.indexOf(floorOf(path)) : ROOF;
}

/** `base/db`; the engine is one room; for a file directly in `src`, its name. */
function roomOf(path: string): string {
  const [floor, room] = path.split('/');
  if (room === undefined || floor === 'render') return floor!;
  return `${floor}/${room.replace(/\.ts$/, '')}`;
}

const rooms = new Set(
  sources.filter(({ path }) => path.includes('/')).map((file) => roomOf(file.path)),
);

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

describe('floors', () => {
  it('are at most nine, and all in the architecture', () => {
    const folders = readdirSync(ROOT, { withFileTypes: true }).filter((one) => one.isDirectory());
    expect(FLOORS.length).toBeLessThanOrEqual(9);
    expect([...FLOORS].sort()).toEqual(folders.map(({ name }) => name).sort());
  });

  it('import nothing from floors above them', () => {
    const up = [...importsOfFile].flatMap(([path, imported]) =>
      imported
        .filter((other) => levelOf(other) > levelOf(path) && !SHARED.includes(path))
        .map((other) => `${path} imports ${other}`),
    );
    expect(up).toEqual([]);
  });

  it('keep the engine usable on its own', () => {
    const reached = new Set([...isFile].filter((path) => floorOf(path) === 'render'));
    // A set also visits what is added meanwhile.
    for (const path of reached) for (const other of importsOfFile.get(path)!) reached.add(other);
    const own = /^(render|base\/(spatial|workers))\//;
    expect([...reached].filter((path) => !own.test(path))).toEqual([]);
  });

  it('have the packages of HTTP, of commands, and of PostgreSQL to themselves', () => {
    const crossed = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/(?:from|import\() ?'([^.'][^']*)'/g)]
        .map((match) => match[1]!)
        .filter((name) => PACKAGES.some(([own, who]) => own.test(name) && !who.test(path)))
        .map((name) => `${path} imports ${name}`),
    );
    expect(crossed).toEqual([]);
  });
});

describe('rooms', () => {
  it('import one another without cycles', () => {
    // The codes of errors are part of the contract, and the configuration reads texts.
    const next = (room: string) => (SHARED.includes(room) ? [] : (imports.get(room) ?? []));
    expect(cyclesOf(imports.keys(), next)).toEqual([]);
  });

  it('are all described in the architecture', () => {
    expect(rooms.size).toBeGreaterThanOrEqual(28);
    const named = (room: string) => room === 'render' || README.includes(`\n${room} `);
    expect([...rooms].filter((room) => !named(room))).toEqual([]);
  });

  it('share no table that they write', () => {
    const schema = paths.filter((path) => /^base\/db\/migrations\/.*\.sql$/.test(path)).map(read);
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

  it('are at most 40 in a folder, and six beside the floors', () => {
    const counts = new Map<string, number>();
    for (const path of paths.filter((one) => extname(one) !== '')) {
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > 40)).toEqual([]);
    expect(counts.get('.')).toBeLessThanOrEqual(6);
  });
});

/** A statement in a template or in quotes */
const STATEMENT =
  /`\s*(?:select|with|insert into|update|delete from)\s[^`]*\b(?:from|into|set)\s|'(?:select|with|insert into|update|delete from) [^'\n]*\b(?:from|into|set) /;

it('doors contain no SQL', () => {
  const inDoors = sources.filter(
    ({ path }) => /^(doors|run\/admin)\//.test(path) && !path.startsWith(DOCTOR),
  );
  expect(inDoors.length).toBeGreaterThan(500);
  expect(inDoors.filter(({ text }) => STATEMENT.test(text)).map(({ path }) => path)).toEqual([]);
  const below = sources.filter(({ text }) => STATEMENT.test(text));
  expect(below.length).toBeGreaterThan(100);
});
