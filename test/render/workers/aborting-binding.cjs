/** A library that aborts its process on loading, as MapLibre Native does without a graphics driver. */
process.stderr.write('terminate called: no EGL display\n');
process.abort();
