# The program and what it needs to run, and nothing of what builds it. Pin the base images by digest for builds that can be repeated:
#   docker build --build-arg BUILD_IMAGE=node:22-bookworm@sha256:… --build-arg RUN_IMAGE=node:22-bookworm-slim@sha256:… --tag muster .
ARG BUILD_IMAGE=node:22-bookworm
ARG RUN_IMAGE=node:22-bookworm-slim

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# What is in the package is what is in the image, with the locked versions of what it depends on.
RUN npm pack --silent --pack-destination /tmp \
  && mkdir /opt/muster \
  && tar --extract --gzip --file /tmp/muster-cmdb-muster-*.tgz --directory /opt/muster --strip-components 1 \
  && cp package-lock.json /opt/muster/ \
  && npm ci --omit=dev --no-audit --no-fund --prefix /opt/muster

FROM ${RUN_IMAGE}
LABEL org.opencontainers.image.title="Muster" \
      org.opencontainers.image.description="CMDB synchroniser: imports hosts from many systems, and serves one trustworthy inventory." \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /opt/muster /opt/muster
COPY packaging/container/entrypoint /usr/local/lib/muster/
RUN ln -s /opt/muster/bin/muster /opt/muster/bin/muster-mcp /usr/local/bin/ \
  && mkdir --mode 0700 /var/lib/muster \
  && chown 1000:1000 /var/lib/muster
USER 1000:1000
WORKDIR /var/lib/muster
VOLUME /var/lib/muster
# Others reach the service from outside of the container; who sends credentials over plain HTTP is refused nevertheless.
ENV NODE_ENV=production \
    SERVICE_HTTP_HOST=0.0.0.0 \
    SERVICE_MCP_HOST=0.0.0.0
EXPOSE 8080 8765
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s CMD ["muster", "healthcheck"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/lib/muster/entrypoint"]
CMD ["serve"]
