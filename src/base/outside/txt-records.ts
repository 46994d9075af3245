/** Asks the DNS for TXT records. */
import { Resolver } from 'node:dns/promises';

/** For the whole question, with all repetitions and servers */
const DEADLINE_MS = 8_000;
/** For one question to one server */
const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** The DNS says that there is no such name, or that it has no TXT records. */
const NONE = new Set(['ENOTFOUND', 'ENODATA']);

/** The DNS gave no answer. Its cause has the system's error */
export class DnsUnreachableError extends Error {}

/**
 * Returns the texts at a name, in the DNS's own order; an empty list if there are none.
 * @throws DnsUnreachableError
 */
export type TxtLookup = (name: string) => Promise<string[]>;

/** @param servers `address:port` of DNS servers. Default: those of the system */
export function txtLookup(servers?: readonly string[]): TxtLookup {
  return async (name) => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const deadline = setTimeout(() => resolver.cancel(), DEADLINE_MS);
    try {
      // A text longer than 255 bytes arrives in pieces.
      return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''));
    } catch (cause) {
      if (NONE.has((cause as NodeJS.ErrnoException).code ?? '')) return [];
      throw new DnsUnreachableError(`The DNS doesn’t answer for ${name}.`, { cause });
    } finally {
      clearTimeout(deadline);
    }
  };
}
