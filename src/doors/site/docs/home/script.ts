/** Forwards old links to operations, because the reference used to be at this address. */
if (location.hash.startsWith('#/')) {
  location.replace(`${location.pathname.replace(/\/$/, '')}/reference${location.hash}`);
}
