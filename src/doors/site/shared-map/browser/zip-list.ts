/** The page's list of shared ZIP codes. */
import { data, find, findAll } from '../../browser/dom.ts';
import { fetchOk } from '../../browser/map-view.ts';
import { reloadIfClosed } from './share-link.ts';

interface ListedZip {
  status: 'live' | 'pending';
  /** City and state */
  place: string;
  /** Absent if the ZIP code has no boundary */
  position?: { lng: number; lat: number; /** Lowest zoom of its label */ labelZoom?: number };
}

interface ZipList {
  /** The ZIP codes whose lists are loaded */
  zips: ReadonlyMap<string, ListedZip>;
  isEmpty: boolean;
  /**
   * Finds a ZIP code, and loads the lists that may contain it.
   * @throws Error if a list can't be loaded
   */
  lookUp(zip: string): Promise<ListedZip | undefined>;
}

/** @param onChoose turns the ZIP codes into buttons and handles their clicks; with null, they stay text */
export function readZipList(onChoose: ((zip: string) => void) | null): ZipList {
  const zips = new Map<string, ListedZip>();
  const addList = (list: HTMLElement, state: string | undefined) => {
    for (const place of findAll(':scope > li', HTMLElement, list)) {
      const city = find('b', HTMLElement, place).textContent;
      for (const item of findAll(':scope > ul > li', HTMLElement, place)) {
        const zip = item.textContent.trim().slice(0, 5);
        zips.set(zip, {
          status: item.classList.contains('pending') ? 'pending' : 'live',
          place: state ? `${city}, ${state}` : city,
          ...positionOf(item),
        });
        if (onChoose) makeButton(item, () => onChoose(zip));
      }
    }
  };
  for (const list of findAll('.places', HTMLElement)) {
    addList(list, list.closest('section')?.dataset.state);
  }
  const foldedStates = findAll('details[data-starts]', HTMLDetailsElement).map((details) =>
    foldedState(details, addList),
  );
  return {
    zips,
    isEmpty: zips.size === 0 && foldedStates.length === 0,
    async lookUp(zip) {
      if (!zips.has(zip)) {
        const states = foldedStates.filter(({ mayHave }) => mayHave(zip));
        await Promise.all(states.map(({ load }) => load()));
      }
      return zips.get(zip);
    },
  };
}

function positionOf(item: HTMLElement): Pick<ListedZip, 'position'> {
  const [lng, lat, labelZoom] = item.dataset.at?.split(' ').map(Number) ?? [];
  if (lng === undefined || lat === undefined) return {};
  return { position: { lng, lat, ...(labelZoom !== undefined && { labelZoom }) } };
}

function makeButton(item: HTMLElement, onClick: () => void): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.append(...item.childNodes);
  button.addEventListener('click', onClick);
  item.append(button);
}

/** A state of a very large territory. Its list is on a separate page, which is loaded when needed. */
function foldedState(
  details: HTMLDetailsElement,
  addList: (list: HTMLElement, state: string | undefined) => void,
) {
  const runs = parseRuns(data(details, 'starts'));
  const mayHave = (zip: string) => {
    const start = Number(zip.slice(0, 3));
    return runs.some(([first, last]) => start >= first && start <= last);
  };
  let loading: Promise<void> | undefined;
  const load = () =>
    (loading ??= loadList(details)
      .then((list) => addList(list, details.dataset.state))
      .catch((error: unknown) => {
        loading = undefined;
        throw error;
      }));
  // If loading fails, the link to the list's page stays.
  details.addEventListener('toggle', () => {
    if (details.open) load().catch(() => {});
  });
  return { mayHave, load };
}

/** Parses ranges of the first three digits of ZIP codes, such as `750-799 885`. */
function parseRuns(text: string): [first: number, last: number][] {
  return text.split(' ').map((run) => {
    const [first = NaN, last = first] = run.split('-').map(Number);
    return [first, last];
  });
}

/** Replaces the link to a state's page with the list on that page. */
async function loadList(details: HTMLDetailsElement): Promise<HTMLElement> {
  const link = find('a', HTMLAnchorElement, details);
  const response = await fetchOk(link.href).catch(reloadIfClosed);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const list = document.adoptNode(find('.places', HTMLElement, page));
  link.parentElement?.replaceWith(list);
  return list;
}
