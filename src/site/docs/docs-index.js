/* The reference has been at this address: links to its parts still find them. */
if (location.hash.startsWith('#/')) {
  location.replace(`${location.pathname.replace(/\/$/, '')}/reference${location.hash}`);
}
