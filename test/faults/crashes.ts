/** Crashes while an organization writes. No acknowledged write is lost, and none is made twice. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { square } from '../territories/brands/grid.ts';
import { isServed, msUntil } from './calls.ts';
import { newBrand } from './faulty-service.ts';
import { FULL, recordFigures } from './figures.ts';
import type { Stage } from './stage.ts';

const ROUNDS = FULL ? 10 : 1;
/** All of the stage's country */
const ZIPS = Array.from({ length: 16 }, (_, i) => square(i >> 2, i & 3));

const CRASHES: { name: string; crash(stage: Stage): Promise<void> }[] = [
  {
    name: 'SIGKILL of the service',
    async crash({ service, restart }) {
      await service.stop('SIGKILL');
      await restart();
    },
  },
  {
    name: 'immediate stop of the database',
    async crash({ database }) {
      await database.crash();
      await database.start();
    },
  },
];

export function crashes(run: boolean, stage: () => Stage): void {
  for (const { name, crash } of CRASHES) {
    it.runIf(run)(`keeps each acknowledged write: ${name}`, async (context) => {
      const { database, ours } = stage();
      const { db } = database;
      const charged = async () => {
        const [row] = await db.query<{ units: number }>(
          `select coalesce(sum(units), 0) as units from usage_days
           where organization_id = $1 and tool = 'service_apply_territory'`,
          [ours.id],
        );
        return row!.units;
      };
      const sums = { sent: 0, acknowledged: 0, lost: 0, doubled: 0 };
      let recoveredMs = 0;
      const chargedBefore = await charged();
      for (let round = 0; round < ROUNDS; round++) {
        const brand = await newBrand(db, ours);
        let answered = 0;
        const { write } = stage().calls;
        const writes = ZIPS.map(async (zip) => {
          await delay(Math.random() * 200);
          const answer = await write(ours, brand.slug, zip);
          answered++;
          return { zip, answer };
        });
        const crashAfter = 1 + Math.random() * 10;
        while (answered < crashAfter) await delay(1);
        await crash(stage());
        const { calls } = stage();
        recoveredMs = Math.max(
          recoveredMs,
          await msUntil(async () => isServed(await calls.read(ours))),
        );
        const acknowledged = (await Promise.all(writes)).filter(({ answer }) => isServed(answer));
        const rows = await db.query<{ zip: string; times: number }>(
          `select z.zip, count(r.id) as times from brand_zips z left join reviews r using (brand_id, zip)
           where z.brand_id = $1 group by z.zip`,
          [brand.id],
        );
        const times = new Map(rows.map((row) => [row.zip, row.times]));
        sums.sent += ZIPS.length;
        sums.acknowledged += acknowledged.length;
        sums.lost += acknowledged.filter(({ zip }) => !times.get(zip)).length;
        sums.doubled += rows.filter((row) => row.times !== 1).length;
      }
      const units = (await charged()) - chargedBefore;
      recordFigures(context, {
        scenario: `${name}, ${ROUNDS} times`,
        database: database.kind,
        recoveredMs,
        note:
          `${sums.acknowledged} of ${sums.sent} writes acknowledged, ${sums.lost} lost, ` +
          `${sums.doubled} doubled, ${units} units`,
      });
      expect(sums).toMatchObject({ lost: 0, doubled: 0 });
      expect(sums.acknowledged).toBeGreaterThan(0);
      expect(units).toBeGreaterThanOrEqual(sums.acknowledged);
      expect(units).toBeLessThanOrEqual(sums.sent);
    });
  }
}
