/** US states and island areas, from `geodata/states.json`, which states its source. */
import { readFileSync } from 'node:fs';
import { projectFile } from './project-files.ts';

/** A state or an island area. */
interface State {
  /** Two digits */
  fips: string;
  /** `TX` */
  usps: string;
  /** `Texas` */
  name: string;
}

/** Finds a state by USPS code or name, ignoring case. */
export function findState(text: string): State | undefined {
  const wanted = text.trim().toLowerCase();
  return states().find(({ usps, name }) =>
    [usps.toLowerCase(), name.toLowerCase()].includes(wanted),
  );
}

let read: readonly State[] | undefined;

export function states(): readonly State[] {
  if (!read) {
    const file = readFileSync(projectFile('geodata/states.json'), 'utf8');
    read = (JSON.parse(file) as { states: State[] }).states;
  }
  return read;
}
