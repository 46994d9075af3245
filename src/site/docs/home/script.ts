/** Forwards old links to parts of the reference, which used to be at this address. */
if (location.hash.startsWith('#/')) {
  location.replace(`${location.pathname.replace(/\/$/, '')}/reference${location.hash}`);
}
