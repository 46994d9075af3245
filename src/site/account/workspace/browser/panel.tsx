/** The panel beside the map: its colors, the territories, and what can be done with them. */
import type { Bbox } from './market.ts';
import { ColorBy } from './legend.tsx';
import { Territories } from './territories.tsx';

export function Panel({ fly }: { fly: (bbox: Bbox) => void }) {
  return (
    <>
      <ColorBy />
      <Territories fly={fly} />
    </>
  );
}
