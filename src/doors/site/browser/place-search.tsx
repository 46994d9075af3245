/**
 * The search for places: results while typing, as a combobox with a listbox (WAI-ARIA Authoring Practices).
 * On a map, choosing a place keeps the page open, and the map shows the place.
 */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { FoundPlace } from './found-place.ts';
import { StatusError } from './map-view.ts';

interface PlaceSearchProps {
  /** Address of the search's page of results; its JSON is at the same address with `.json` */
  action: string;
  /** Whether to find only places in the launched metros */
  launchedOnly?: boolean;
  /** Initial text of the field */
  initial?: string;
  /**
   * Whether Enter without an active option opens the page of results. By default, it chooses the best place
   */
  entersResults?: boolean;
  onChoose(place: FoundPlace): void;
}

/** Pause in typing after which results are requested */
const PAUSE_MS = 120;

const LABEL = 'Search for a ZIP code, city, county, or metro';

const KINDS: Readonly<Record<FoundPlace['kind'], string>> = {
  zip: 'ZIP code',
  city: 'City',
  county: 'County',
  metro: 'Metro',
  state: 'State',
  address: 'Address',
};

interface Results {
  query: string;
  places: readonly FoundPlace[];
  /** Reason for an empty list, as a sentence */
  problem: string | null;
}

const NONE: Results = { query: '', places: [], problem: null };

export function PlaceSearch({
  action,
  launchedOnly = false,
  initial = '',
  entersResults = false,
  onChoose,
}: PlaceSearchProps) {
  const id = useId();
  const [text, setText] = useState(initial);
  const [results, setResults] = useState(NONE);
  const [isOpen, setOpen] = useState(false);
  /** Index of the active option; -1 for none */
  const [active, setActive] = useState(-1);
  const query = text.trim();
  const address = `${action}.json?${new URLSearchParams({ q: query, ...(launchedOnly && { launched: '1' }) })}`;
  // The name of a chosen place in the field isn't a query.
  const chosen = useRef('');

  useEffect(() => {
    if (query === '' || query === chosen.current) {
      setResults(NONE);
      return undefined;
    }
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const found = await findPlaces(address, query, abort.signal);
      if (abort.signal.aborted) return;
      setResults(found);
      setActive(-1);
      setOpen(true);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [address, query]);

  const choose = (place: FoundPlace) => {
    chosen.current = place.label;
    setText(place.label);
    setOpen(false);
    setActive(-1);
    onChoose(place);
  };

  /** Handles Enter without an active option: chooses the best place, and waits for it if necessary. */
  const submit = async (event: Event) => {
    const place = results.places[active];
    if (!place && entersResults) return;
    event.preventDefault();
    if (place) {
      choose(place);
      return;
    }
    if (query === '') return;
    const found = results.query === query ? results : await findPlaces(address, query);
    setResults(found);
    if (found.places[0]) choose(found.places[0]);
    else setOpen(true);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { length } = results.places;
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      setOpen(false);
      setActive(-1);
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && length > 0) {
      event.preventDefault();
      setOpen(true);
      // The position after the last option is the input itself.
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive(((active + 1 + step + length + 1) % (length + 1)) - 1);
    }
  };

  const { places, problem } = results;
  const isListShown = isOpen && places.length > 0;
  const optionId = (at: number) => `${id}-${at}`;
  return (
    <form
      class="place-search"
      role="search"
      action={action}
      onSubmit={submit}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
          setOpen(false);
      }}
    >
      <input
        type="search"
        name="q"
        value={text}
        maxLength={100}
        placeholder="ZIP code, city, county, metro"
        autocomplete="off"
        role="combobox"
        list={undefined}
        aria-label={LABEL}
        aria-autocomplete="list"
        aria-expanded={isListShown}
        aria-controls={`${id}-list`}
        {...(isListShown && active >= 0 && { 'aria-activedescendant': optionId(active) })}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onFocus={() => setOpen(true)}
        onKeyDown={onKeyDown}
      />
      <ul
        id={`${id}-list`}
        class="place-options"
        role="listbox"
        aria-label="Places"
        hidden={!isListShown}
      >
        {places.map((place, at) => (
          // The field keeps the focus, so keys reach the options through it.
          <li
            key={`${place.kind} ${place.label}`}
            id={optionId(at)}
            role="option"
            aria-selected={at === active}
            // Pressing an option must not move the focus before the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(place)}
          >
            <b>{place.label}</b> <span>{place.detail || KINDS[place.kind]}</span>
          </li>
        ))}
      </ul>
      <p class={problem !== null && isOpen ? 'place-options' : 'visually-hidden'} role="status">
        {problem ?? (isListShown && `${places.length} ${places.length === 1 ? 'place' : 'places'}`)}
      </p>
    </form>
  );
}

/** Returns a problem if the service can't be reached or refuses the request. */
async function findPlaces(address: string, query: string, signal?: AbortSignal): Promise<Results> {
  try {
    const response = await fetch(address, signal ? { signal } : {});
    if (!response.ok) throw new StatusError(address, response.status);
    const { places } = (await response.json()) as { places: FoundPlace[] };
    const problem = places.length === 0 ? 'No place found. Check the spelling.' : null;
    return { query, places, problem };
  } catch (error) {
    const isTooMany = error instanceof StatusError && error.status === 429;
    const problem = isTooMany
      ? 'Too many searches in a short time. Wait a minute, then try again.'
      : 'The search isn’t available. Try again.';
    return { query, places: [], problem };
  }
}
