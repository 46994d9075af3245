/** A library that aborts its process on loading, as upstream's Linux build of MapLibre Native does without an X server. */
process.stderr.write('Failed to open X display.\n');
process.abort();
