import cors from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../shared/errors.ts';
import { parseByteRange } from './byte-range.ts';
import { acceptsGzip, matchesEtag } from './conditional.ts';
import type { PlayableRendition, PlaybackDirectory } from './playback-directory.ts';
import { PlaylistCache } from './playlist-cache.ts';
import type { SegmentStore } from './segment-store.ts';
import type { SharedText } from './shared-text.ts';

const playlistType = 'application/vnd.apple.mpegurl';
// A playlist changes once per segment; a cache in between may share it for a second.
const playlistCaching = 'public, max-age=1';
// What a URL of a segment names never changes.
const segmentCaching = 'public, max-age=31536000, immutable';
/** How long a player should wait before it asks again whether a stream is on air. */
const retryAfterSeconds = 2;

/**
 * The public playback interface, relative to where `app` is mounted (the host gives it the prefix `/hls`):
 * `/<playbackId>/index.m3u8`, and below `/<playbackId>/<rendition>/` the media playlist `index.m3u8`, `init-<id>.mp4` and
 * `<msn>.m4s`. Any origin may read it.
 */
export async function registerPlaybackRoutes(app: FastifyInstance, directory: PlaybackDirectory): Promise<void> {
  const playlists = new PlaylistCache();
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'OPTIONS'],
    exposedHeaders: ['Content-Length', 'Content-Range', 'Accept-Ranges', 'Date', 'ETag', 'Retry-After'],
    maxAge: 86_400,
  });

  app.get<{ Params: { playbackId: string } }>('/:playbackId/index.m3u8', (request, reply) => {
    const playback = directory.find(request.params.playbackId);
    if (playback.kind === 'unknown') throw new ServiceError('NOT_FOUND', 'No stream has this playback id.');
    const offered =
      playback.kind === 'playable' && playback.multivariant === 'on-air'
        ? playback.renditions.filter(({ store }) => store.segments.length > 0 && !store.ended)
        : [];
    if (offered.length === 0) throw offAir(reply);
    return sendPlaylist(request, reply, playlists.multivariant(offered));
  });

  app.get<{ Params: RenditionParams }>('/:playbackId/:rendition/index.m3u8', (request, reply) => {
    const store = getStore(directory, request.params, reply);
    if (store.segments.length === 0) throw offAir(reply);
    return sendPlaylist(request, reply, playlists.media(store));
  });

  app.get<{ Params: RenditionParams & { id: string } }>('/:playbackId/:rendition/init-:id.mp4', (request, reply) => {
    const init = getStore(directory, request.params, reply).findInit(request.params.id);
    if (init === undefined) throw new ServiceError('NOT_FOUND', 'This init segment is not, or no longer, here.');
    return sendMedia(request, reply, { bytes: init.bytes, etag: `"${init.id}"`, type: 'video/mp4' });
  });

  app.get<{ Params: RenditionParams & { msn: string } }>('/:playbackId/:rendition/:msn.m4s', (request, reply) => {
    const { msn: number } = request.params;
    const segment = getStore(directory, request.params, reply).findSegment(/^\d{1,15}$/.test(number) ? Number(number) : -1);
    if (segment === undefined) throw new ServiceError('NOT_FOUND', 'This segment is not, or no longer, here.');
    const { bytes, msn, programDateTimeMs } = segment;
    const etag = `"${msn}-${bytes.length}-${Math.round(programDateTimeMs)}"`;
    return sendMedia(request, reply, { bytes, etag, type: 'video/iso.segment' });
  });
}

interface RenditionParams {
  playbackId: string;
  rendition: string;
}

function getStore(directory: PlaybackDirectory, { playbackId, rendition }: RenditionParams, reply: FastifyReply): SegmentStore {
  const playback = directory.find(playbackId);
  if (playback.kind === 'unknown') throw new ServiceError('NOT_FOUND', 'No stream has this playback id.');
  if (playback.kind === 'off-air') throw offAir(reply);
  const found: PlayableRendition | undefined = playback.renditions.find(({ name }) => name === rendition);
  if (found === undefined) throw new ServiceError('NOT_FOUND', 'The stream has no such rendition.');
  return found.store;
}

function offAir(reply: FastifyReply): ServiceError {
  reply.header('retry-after', retryAfterSeconds).header('cache-control', 'no-store');
  return new ServiceError('OFF_AIR', 'The stream is off air; playback begins when it goes live.');
}

function sendPlaylist(request: FastifyRequest, reply: FastifyReply, text: SharedText): FastifyReply {
  reply.header('cache-control', playlistCaching).header('etag', text.etag).header('vary', 'Accept-Encoding');
  if (matchesEtag(request.headers['if-none-match'], text.etag)) return reply.code(304).send();
  reply.type(playlistType);
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(text.bytes);
  return reply.header('content-encoding', 'gzip').send(text.gzipped);
}

/** Sends bytes from memory as they are: a range of them is a view. */
function sendMedia(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag, type }: { bytes: Buffer; etag: string; type: string },
): FastifyReply {
  reply.header('cache-control', segmentCaching).header('etag', etag).header('accept-ranges', 'bytes');
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const condition = request.headers['if-range'];
  // A range of something else than what the client has is of no use to it (RFC 9110 §13.1.5).
  const wanted = condition === undefined || condition === etag ? request.headers.range : undefined;
  const range = parseByteRange(wanted, bytes.length);
  if (range.kind === 'unsatisfiable') {
    return reply
      .code(416)
      .header('content-range', `bytes */${bytes.length}`)
      .header('cache-control', 'no-store')
      .send({ errors: [`The range is outside the ${bytes.length} bytes there are.`] });
  }
  reply.type(type);
  if (range.kind === 'whole') return reply.send(bytes);
  reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${bytes.length}`);
  return reply.send(bytes.subarray(range.first, range.last + 1));
}
