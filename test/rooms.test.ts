/** The rules of src/README.md on rooms, doors, and tables. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
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

/** The folder of a file in `src`; a file directly in `src` is its own room. */
function roomOf(path: string): string {
  return path.split('/')[0]!;
}

const imports = new Map<string, Set<string>>();
for (const { path, text } of sources) {
  const room = roomOf(path);
  if (!imports.has(room)) imports.set(room, new Set());
  for (const [, address] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
    const imported = roomOf(normalize(join(path, '..', address!)));
    if (imported !== room) imports.get(room)!.add(imported);
  }
}

/** A statement that writes a table by its name, or a staged copy that will replace or fill the table */
const WRITE = /\b(?:insert into|update|delete from) (\w+)\b|\bstaging\.table\('(\w+)'\)/g;

describe('rooms', () => {
  it('import nothing from doors', () => {
    const entries = [...imports].filter(([room]) => !room.endsWith('.ts') && !DOORS.includes(room));
    const crossed = entries.flatMap(([room, others]) =>
      DOORS.filter((door) => others.has(door)).map((door) => `${room} imports ${door}`),
    );
    expect(crossed).toEqual([]);
  });

  it('import one another without cycles', () => {
    // The codes of errors are part of the contract.
    const importedBy = (room: string) => (room === 'errors.ts' ? [] : imports.get(room)!);
    const isDone = new Set<string>();
    const cycles: string[] = [];
    const visit = (room: string, trail: readonly string[]) => {
      if (trail.includes(room)) {
        cycles.push([...trail.slice(trail.indexOf(room)), room].join(' -> '));
      } else if (!isDone.has(room)) {
        for (const next of importedBy(room)) visit(next, [...trail, room]);
        isDone.add(room);
      }
    };
    for (const room of imports.keys()) visit(room, []);
    expect(cycles).toEqual([]);
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
