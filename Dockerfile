# The service on the current Node LTS and Debian slim. The guide "Run it in production" explains how to
# run the image.
#
# maplibre-native is an optional dependency whose install step downloads a binary from GitHub. If the
# build can't reach GitHub, the image has only the canvas engine, and is 250 MB smaller.

FROM node:24-trixie-slim AS build
WORKDIR /app
# Certificates for downloads, and a compiler for packages without a binary for the platform
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates g++ make python3
COPY package.json package-lock.json tsconfig.json ./
COPY src ./src
# The service is compiled by then, and nothing compiles in the image.
RUN npm ci --omit=dev && rm -r node_modules/typescript node_modules/@typescript

# MapLibre Native's Linux binary is built on Ubuntu 24.04 and needs ICU 74 and libjpeg 8. Debian has
# other versions, so both libraries are copied from Ubuntu.
FROM ubuntu:24.04 AS ubuntu-libraries
RUN apt-get update \
 && apt-get install -y --no-install-recommends libicu74 libjpeg-turbo8 \
 && mkdir /libraries \
 && cp -a /usr/lib/*-linux-gnu/libicu*.so.74* /usr/lib/*-linux-gnu/libjpeg.so.8* /libraries

FROM node:24-trixie-slim
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
# tini passes signals on and cleans up after commands that "docker exec" runs. The other libraries are
# those that MapLibre Native's binary needs. The last line prints the image's engines in the build log.
RUN --mount=type=bind,from=ubuntu-libraries,source=/libraries,target=/libraries \
    apt-get update \
 && apt-get install -y --no-install-recommends tini \
 && if ls node_modules/@maplibre/maplibre-gl-native/lib/*/mbgl.node; then \
      apt-get install -y --no-install-recommends \
        libcurl4t64 libegl1 libgl1-mesa-dri libgles2 libglx0 libopengl0 libpng16-16t64 libuv1t64 \
        libwebp7 libx11-6 \
      && cp -a /libraries /usr/local/lib/maplibre-native \
      && echo /usr/local/lib/maplibre-native > /etc/ld.so.conf.d/maplibre-native.conf \
      && ldconfig; \
    fi \
 && rm -rf /var/lib/apt/lists/* \
 && { node -e "require('@maplibre/maplibre-gl-native')" 2>/dev/null \
      && echo 'engines: maplibre-native, canvas' || echo 'engines: canvas'; }

COPY --from=build /app/dist ./dist
COPY package.json ./
COPY src/db/migrations ./src/db/migrations
# Stylesheets and guides, which the build doesn't copy
COPY src/site ./src/site
COPY styles ./styles
COPY geodata ./geodata
RUN ln -s /app/dist/cli/admin.js /usr/local/bin/territory-admin \
 && ln -s /app/dist/cli/territory.js /usr/local/bin/territory \
 && install -d -o node -g node -m 700 /data

ENV NODE_ENV=production DATA_DIR=/data EGL_PLATFORM=surfaceless
# The user "node", by number: Kubernetes accepts only numbers as proof that a user isn't root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}${process.env.BASE_PATH || ''}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "dist/main.js"]
