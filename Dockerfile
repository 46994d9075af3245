# The service on the current Node LTS and Debian slim. The guide "Run it in production" explains how to
# run the image.
#
# The canvas engine draws all pictures. To add MapLibre Native, for RENDER_ENGINE=maplibre-native, build
# with "--build-arg NATIVE=1": its binary comes from GitHub and needs Mesa, LLVM, and an X server, which
# make the image 300 MB larger.

ARG NATIVE=0

FROM node:24-trixie-slim AS build
WORKDIR /app
# Certificates for downloads
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates
COPY package.json package-lock.json tsconfig.json ./
COPY src ./src
# The embedded database is packed with the metros.
COPY geodata ./geodata
RUN npm ci --omit=dev
ARG NATIVE
RUN if [ "$NATIVE" = 1 ]; then \
      ls node_modules/@maplibre/maplibre-gl-native/lib/*/mbgl.node; \
    else \
      rm -rf node_modules/@maplibre/maplibre-gl-native; \
    fi
# The bundles contain most packages.
RUN node src/run/build/copy-packages.js runtime

# MapLibre Native's Linux binary is built on Ubuntu 24.04 and needs ICU 74 and libjpeg 8. Debian has
# other versions, so both libraries are copied from Ubuntu.
FROM ubuntu:24.04 AS ubuntu-libraries
RUN apt-get update \
 && apt-get install -y --no-install-recommends libicu74 libjpeg-turbo8 \
 && mkdir /libraries \
 && cp -a /usr/lib/*-linux-gnu/libicu*.so.74* /usr/lib/*-linux-gnu/libjpeg.so.8* /libraries

# tini passes signals on and cleans up after commands that "docker exec" runs.
FROM node:24-trixie-slim AS engines-0
RUN apt-get update \
 && apt-get install -y --no-install-recommends tini \
 && rm -rf /var/lib/apt/lists/*
ENTRYPOINT ["tini", "--"]

# MapLibre Native's libraries, and the X display that its binary needs
FROM engines-0 AS engines-1
RUN --mount=type=bind,from=ubuntu-libraries,source=/libraries,target=/libraries \
    apt-get update \
 && apt-get install -y --no-install-recommends \
      libcurl4t64 libegl1 libgl1-mesa-dri libgles2 libglx-mesa0 libglx0 libopengl0 libpng16-16t64 \
      libuv1t64 libwebp7 libx11-6 xvfb \
 && rm -rf /var/lib/apt/lists/* \
 && cp -a /libraries /usr/local/lib/maplibre-native \
 && echo /usr/local/lib/maplibre-native > /etc/ld.so.conf.d/maplibre-native.conf \
 && ldconfig \
 && install -d -m 1777 /tmp/.X11-unix \
 && printf '#!/bin/sh\nXvfb "$DISPLAY" -screen 0 64x64x24 -nolisten tcp &\nexec "$@"\n' \
      > /usr/local/bin/with-display \
 && chmod +x /usr/local/bin/with-display
ENV DISPLAY=:99 EGL_PLATFORM=surfaceless
ENTRYPOINT ["tini", "--", "with-display"]

FROM engines-${NATIVE}
WORKDIR /app
COPY --from=build /app/runtime/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
COPY src/base/db/migrations ./src/base/db/migrations
# Stylesheets and guides, which the build doesn't copy
COPY src/doors/site ./src/doors/site
COPY styles ./styles
COPY geodata ./geodata
RUN ln -s /app/dist/run/admin.js /usr/local/bin/territory-admin \
 && ln -s /app/dist/doors/cli/territory.js /usr/local/bin/territory \
 && install -d -o node -g node -m 700 /data

# Fewer pools of freed memory, and large buffers outside of them: 40 MB less after many pictures, at the same speed
ENV NODE_ENV=production DATA_DIR=/data MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=262144
# The user "node", by number: Kubernetes accepts only numbers as proof that a user isn't root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}${process.env.BASE_PATH || ''}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
