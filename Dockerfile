# BG3's server in a container. Builds the distribution from this directory, then runs it as a user without rights:
#
#   docker build -t bg3 .
#   docker run -p 127.0.0.1:8182:8182 -v bg3-data:/var/lib/bg3 bg3
#
# compose.yaml does both. Heap and memory outside of it follow the container's memory limit (BG3_HEAP and BG3_DIRECT override
# that). SIGTERM stops the server cleanly.

FROM maven:3.9-eclipse-temurin-17 AS build
WORKDIR /src
COPY . .
RUN mvn -B -q -pl bg3-server -am package -DskipTests -Dspotless.check.skip=true

FROM eclipse-temurin:17-jre
RUN groupadd --system --gid 10001 bg3 \
 && useradd --system --uid 10001 --gid bg3 --home-dir /var/lib/bg3 --shell /usr/sbin/nologin bg3 \
 && install -d -o bg3 -g bg3 -m 0700 /var/lib/bg3
COPY --from=build /src/bg3-server/target/dist /opt/bg3
COPY bin/bg3 /opt/bg3/bin/bg3
RUN ln -s /opt/bg3/bin/bg3 /usr/local/bin/bg3
USER bg3
WORKDIR /var/lib/bg3
VOLUME /var/lib/bg3
EXPOSE 8182 8183
STOPSIGNAL SIGTERM

# GET /health: 200 while the server takes requests. Bash speaks TCP by itself, so the image needs no client. With TLS replace this
# check by one that speaks it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD \
  ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8183 && printf 'GET /health HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]

# Inside of a container the server has to listen on all addresses. The published ports decide which machines reach it:
# publish them to 127.0.0.1, or set users and TLS in a configuration file and take --insecure away.
ENTRYPOINT ["/opt/bg3/bin/bg3"]
CMD ["server", "--data", "/var/lib/bg3/data", "--host", "0.0.0.0", "--http-port", "8183", "--insecure"]
