# The program with git, for `wikiwright action` and the command line in a container. The binary is that of the release, built once:
#   .ci/dist 1.2.3 && docker build .
# The image runs as root because a runner mounts a work tree that belongs to another user; git is told so by the program, whatever HOME is.
FROM alpine:3.22@sha256:14358309a308569c32bdc37e2e0e9694be33a9d99e68afb0f5ff33cc1f695dce
ARG TARGETARCH=amd64
RUN apk add --no-cache ca-certificates git
COPY --chmod=0755 dist/wikiwright_linux_${TARGETARCH} /usr/local/bin/wikiwright
ENTRYPOINT ["/usr/local/bin/wikiwright"]
CMD ["action"]
LABEL org.opencontainers.image.source="https://github.com/wikiwright/wikiwright" \
      org.opencontainers.image.description="Keeps a repository's wiki true to its source"
