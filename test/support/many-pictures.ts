/** New pictures of a service, as a site with many visitors asks for them: markets, verticals, and sizes change. */
import { expect } from 'vitest';

const METROS = ['dallas-tx', 'los-angeles-ca', 'seattle-wa', 'houston-tx', 'phoenix-az'];
const MARKETS = [...METROS, 'chicago-il', 'atlanta-ga', 'denver-co'];
const VERTICALS = ['roofing', 'hvac', 'plumbing', 'gutters', 'landscaping', 'moving'];

/** Requests pictures from 600x400 to 1250x830, each as a new client, so that no limit applies. */
export async function requestPictures(url: string, count: number, atOnce: number): Promise<void> {
  const queue = Array.from({ length: count }, (_, i) => i).values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const i of queue) {
        const size = `${600 + 10 * Math.round((65 * i) / count)}x${400 + Math.round((430 * i) / count)}`;
        const subject = `metro:${MARKETS[i % MARKETS.length]}:${VERTICALS[i % VERTICALS.length]}`;
        const answer = await fetch(`${url}/static/light/${subject}/auto/${size}.png`, {
          headers: { 'X-Forwarded-For': `10.1.${i >> 8}.${i & 255}` },
        });
        const bytes = Buffer.from(await answer.arrayBuffer());
        expect([answer.status, answer.ok || bytes.toString()]).toEqual([200, true]);
      }
    }),
  );
}
