# An image that serves Joute: see docs/en/docker.md for how to run it and what it isolates.
#
#     docker build --tag joute .
#
# Any image with Python 3.11 to 3.14 and its venv will do as PYTHON_IMAGE.
ARG PYTHON_IMAGE=python:3.13-slim

FROM ${PYTHON_IMAGE} AS build
WORKDIR /build
COPY . .
# The versions of the lock, without its hashes: a wheel that is built here has none.
RUN sed -e 's/ *\\$//' -e '/^ *--hash/d' requirements.lock >/constraints.txt \
 && python3 -m venv /tools \
 && /tools/bin/pip install --no-cache-dir --constraint /constraints.txt \
      hatchling sphinx myst-parser .
# The wheel, with the site of documents in it.
RUN /tools/bin/python docs/site/build.py \
 && /tools/bin/python -m hatchling build -t wheel -d /wheels
RUN python3 -m venv /srv/joute \
 && /srv/joute/bin/pip install --no-cache-dir --constraint /constraints.txt /wheels/*.whl \
 && /srv/joute/bin/pip uninstall --yes pip

FROM ${PYTHON_IMAGE}
LABEL org.opencontainers.image.title="Joute" \
      org.opencontainers.image.description="Contests of programs that play games" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /srv/joute /srv/joute
# Not in /usr or /opt, which bots read: Joute's files are hidden from them. It belongs to root; its user writes compiled kernels and its data, nothing else.
RUN useradd --system --uid 10001 --user-group --no-create-home --home-dir /data joute \
 && install --directory --owner=joute --group=joute --mode=0700 /data /var/cache/joute
ENV PATH=/srv/joute/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    JOUTE_CACHE=/var/cache/joute \
    XDG_DATA_HOME=/data
USER 10001:10001
WORKDIR /data
# What bots need compiled, so that nobody waits. Kernels are those of this processor: on another
# kind they are compiled again, when they are first needed.
RUN joute warm
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["python3", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/', timeout=4)"]
ENTRYPOINT ["joute"]
CMD ["serve", "--host", "0.0.0.0"]
