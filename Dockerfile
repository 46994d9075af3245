# The service on the current Node LTS and Debian slim.
#
# maplibre-native is an optional dependency whose install step downloads a binary from GitHub. If the
# build can't reach GitHub, npm skips it, and the image has only the canvas engine.

FROM node:24-trixie-slim AS build
WORKDIR /app
# Certificates for downloads, and a compiler for packages without a binary for the platform
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates g++ make python3
COPY package.json package-lock.json tsconfig.json ./
COPY scripts ./scripts
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
# Other libraries that the binary needs
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      libcurl4t64 libegl1 libgl1-mesa-dri libgles2 libglx0 libopengl0 libpng16-16t64 libuv1t64 \
      libwebp7 libx11-6 \
 && rm -rf /var/lib/apt/lists/*
COPY --from=ubuntu-libraries /libraries /usr/local/lib/maplibre-native
RUN echo /usr/local/lib/maplibre-native > /etc/ld.so.conf.d/maplibre-native.conf && ldconfig

COPY --from=build /app/node_modules ./node_modules
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
# Prints the image's engines in the build log. A missing engine doesn't fail the build.
RUN node -e "require('@maplibre/maplibre-gl-native')" \
 && echo 'engines: maplibre-native, canvas' || echo 'engines: canvas'

ENV NODE_ENV=production DATA_DIR=/data EGL_PLATFORM=surfaceless
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}${process.env.BASE_PATH || ''}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
