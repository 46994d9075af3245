import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  dayAt,
  daysBetween,
  endOfDay,
  formatDay,
  isDay,
  parseMoment,
  startOfDay,
  TIME_ZONES,
} from '../../../src/base/text/days.ts';

describe('a day', () => {
  it.each([
    ['2026-01-01', 'America/New_York', '2026-01-01T05:00:00.000Z'],
    ['2026-07-01', 'America/New_York', '2026-07-01T04:00:00.000Z'],
    ['2026-01-01', 'Pacific/Honolulu', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01', 'Pacific/Guam', '2025-12-31T14:00:00.000Z'],
    // Clocks change at 2:00 on these days.
    ['2026-03-08', 'America/Chicago', '2026-03-08T06:00:00.000Z'],
    ['2026-11-01', 'America/Chicago', '2026-11-01T05:00:00.000Z'],
    // Clocks go from 0:00 to 1:00, and from 1:00 back to 0:00.
    ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z'],
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
  ])('%s begins in %s at %s', (day, zone, start) => {
    expect(startOfDay(day, zone).toISOString()).toBe(start);
  });

  it('lasts 23 or 25 hours when clocks change', () => {
    const hours = (day: string) =>
      (endOfDay(day, 'America/Denver').getTime() +
        1 -
        startOfDay(day, 'America/Denver').getTime()) /
      3_600_000;
    expect(['2026-03-08', '2026-07-04', '2026-11-01'].map(hours)).toEqual([23, 24, 25]);
  });

  it('contains its first and last moment, and no moment more', () => {
    const day = fc
      .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    const zone = fc.constantFrom(...Object.keys(TIME_ZONES), 'America/Havana', 'Asia/Kolkata');
    fc.assert(
      fc.property(day, zone, (day, zone) => {
        const [start, end] = [startOfDay(day, zone), endOfDay(day, zone)];
        expect(dayAt(start, zone)).toBe(day);
        expect(dayAt(end, zone)).toBe(day);
        expect(dayAt(new Date(start.getTime() - 1), zone)).toBe(addDays(day, -1));
        expect(dayAt(new Date(end.getTime() + 1), zone)).toBe(addDays(day, 1));
      }),
    );
  });

  it.each(['2026-02-30', '2026-13-01', '26-01-01', '2026-1-1', '2026-01-01T00:00:00Z', ''])(
    'isn’t "%s"',
    (text) => expect(isDay(text)).toBe(false),
  );

  it('is written out for people, and counted', () => {
    expect(formatDay('2026-03-31')).toBe('March 31, 2026');
    expect(daysBetween('2026-03-01', '2026-03-31')).toBe(30);
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  });
});

it('reads moments with an offset only', () => {
  expect(parseMoment('2026-03-31T17:00:00-05:00')?.toISOString()).toBe('2026-03-31T22:00:00.000Z');
  expect(parseMoment('2026-03-31T17:00Z')?.toISOString()).toBe('2026-03-31T17:00:00.000Z');
  for (const text of ['2026-03-31T17:00:00', '2026-03-31', '2026-02-30T00:00:00Z', 'today'])
    expect(parseMoment(text)).toBeNull();
});
