/** The workspace: starts loading, opens the map, and renders the parts of the page. */
import { render } from 'preact';
import { findById, find } from '../browser/dom.ts';
import { PlaceSearch } from '../browser/place-search.tsx';
import { Announcer } from './browser/announcer.tsx';
import { config, measuresIn } from './browser/config.ts';
import { ZipCard } from './browser/map/card.tsx';
import { doAsked } from './browser/do-asked.ts';
import { followDrawing } from './browser/map/drawing.ts';
import { EditBar } from './browser/territories/edit-bar.tsx';
import { isEdited } from './browser/territories/editing.ts';
import { followFullNames } from './browser/full-names.ts';
import { Header } from './browser/header.tsx';
import { loadPlaces, openPlace } from './browser/load.ts';
import { openWorkspaceMap, type WorkspaceMap, followMapKeys } from './browser/map/map.ts';
import { MapTools } from './browser/map/map-tools.tsx';
import type { Bbox } from './browser/market.ts';
import { dataSlugOf, scoreOf } from './browser/measures.ts';
import { NoticeBar } from './browser/controls/notice.tsx';
import { Panel } from './browser/panel.tsx';
import { SaveDialogs } from './browser/saving/save-dialogs.tsx';
import { showFound } from './browser/show-found.ts';
import { SheetBar } from './browser/sheet.tsx';
import { followKeys, ShortcutsDialog } from './browser/shortcuts.tsx';
import { pageConfig } from './browser/start.ts';
import { store } from './browser/state.ts';
import { ZipTable } from './browser/table/table.tsx';
import { readAddress, writeAddress } from './browser/map/view-address.ts';

const frame = find('.map-frame', HTMLElement);
const address = readAddress(location.search);
/** Which data sets the market has isn’t known yet. */
const isKnown = (name = '') =>
  name === 'territory' ||
  dataSlugOf(name) !== null ||
  measuresIn(null).some((measure) => measure.name === name);

store.update({
  whiteSpace: address.whiteSpace ?? null,
  colorBy: isKnown(address.colorBy) ? address.colorBy! : scoreOf(config().verticals[0]?.slug ?? ''),
});
const asked = openPlace(pageConfig.place).then(doAsked);
void loadPlaces();

let opened: WorkspaceMap | undefined;
const fly = (bbox: Bbox) => opened?.fly(bbox);

render(<Header />, findById('place', HTMLElement));
render(
  <PlaceSearch action={config().paths.search} onChoose={(place) => void showFound(place, fly)} />,
  findById('search', HTMLElement),
);
render(<Panel fly={fly} />, findById('panel', HTMLElement));
render(<ZipTable fly={fly} />, findById('table', HTMLElement));
render(<ZipCard />, findById('card', HTMLElement));
render(<EditBar />, findById('tools', HTMLElement));
render(<MapTools />, findById('map-tools', HTMLElement));
render(
  <>
    <SaveDialogs />
    <ShortcutsDialog />
    <NoticeBar />
    <Announcer />
  </>,
  findById('messages', HTMLElement),
);
render(<SheetBar sheet={findById('sheet', HTMLElement)} />, findById('sheet-bar', HTMLElement));

function keepAddress(): void {
  const { place, colorBy, whiteSpace } = store.get();
  const position = opened?.position() ?? address.position ?? null;
  history.replaceState(
    null,
    '',
    writeAddress(location.search, { place, colorBy, whiteSpace, position }),
  );
}

store.subscribe((now, before) => {
  // A proposal for an earlier draft would undo later changes.
  if (now.draft !== before.draft && now.proposal && now.proposal === before.proposal) {
    store.update({ proposal: null });
  }
  const isOther = (['place', 'colorBy', 'whiteSpace'] as const).some(
    (part) => now[part] !== before[part],
  );
  if (isOther) keepAddress();
});

followKeys();
followFullNames();
addEventListener('beforeunload', (event) => {
  if (isEdited(store.get())) event.preventDefault();
});

try {
  opened = await openWorkspaceMap(frame);
  opened.map.on('moveend', keepAddress);
  followDrawing(opened);
  followMapKeys(opened.map);
  const bbox = await asked;
  if (bbox) fly(bbox);
} catch {
  find('.failure', HTMLElement, frame).textContent =
    'The map cannot be shown. The table has the same ZIP codes.';
}
