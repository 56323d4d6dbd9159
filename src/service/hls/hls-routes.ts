import cors from '@fastify/cors';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../shared/errors.ts';
import { acceptsGzip, matchesEtag } from './conditional.ts';
import { parseDeliveryDirectives } from './delivery-directives.ts';
import type { PlayableRendition, Playback, PlaybackDirectory } from './playback-directory.ts';
import { PlaylistCache } from './playlist-cache.ts';
import type { SegmentStore } from './segment-store.ts';
import { segmentGone, sendFile, sendMedia } from './send-media.ts';
import type { SharedText } from './shared-text.ts';
import { WaitingRoom } from './waiting-room.ts';

const playlistType = 'application/vnd.apple.mpegurl';
const segmentType = 'video/iso.segment';
// The multivariant playlist changes once per segment: caches may share it for a second.
const multivariantCaching = 'public, max-age=1';
/** The most target durations that a request waits (rfc8216bis §6.2.5.2). */
const waitTargetDurations = 3;
/** How long a player should wait before it asks again if a stream is on air. */
const retryAfterSeconds = 2;

/**
 * The public playback interface, relative to where `app` is mounted (the host gives it the prefix `/hls`):
 * `/<playbackId>/index.m3u8`, and below `/<playbackId>/<rendition>/` the media playlist `index.m3u8`, `init-<id>.mp4`,
 * `<msn>.m4s` and its parts `<msn>-<index>.m4s`. Any origin may read it.
 *
 * `_HLS_msn` and `_HLS_part` make a playlist request wait for a segment or part, `_HLS_skip` asks for a delta update
 * (rfc8216bis §6.2.5); a request for a part that is still to come waits too. If the broadcast ends meanwhile, the answer is the ended
 * playlist (§6.2.5.2), or 404 for a part that will not come (§6.2.6). If the stream is deleted, the service closes, or the wait
 * takes too long, the answer is 503.
 */
export function playbackRoutes(directory: PlaybackDirectory): FastifyPluginAsync {
  return (app) => registerPlaybackRoutes(app, directory);
}

async function registerPlaybackRoutes(app: FastifyInstance, directory: PlaybackDirectory): Promise<void> {
  const playlists = new PlaylistCache();
  const waiting = new WaitingRoom();
  app.addHook('preClose', async () => waiting.close());
  app.openPrefixes.add(app.prefix);
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'OPTIONS'],
    // Caches add Age: low-latency players use it to ask for something newer (rfc8216bis, appendix C).
    exposedHeaders: ['Content-Length', 'Content-Range', 'Accept-Ranges', 'Age', 'Date', 'ETag', 'Retry-After'],
    maxAge: 86_400,
    // Otherwise OPTIONS without a preflight's headers is 400, in plain text.
    strictPreflight: false,
  });

  const wait = async (store: SegmentStore, playbackId: string, reply: FastifyReply, isReady: () => boolean) => {
    const left = new AbortController();
    const leave = () => left.abort();
    reply.raw.once('close', leave);
    const end = await waiting.wait(store, isReady, waitTargetDurations * store.targetDurationSeconds * 1000, left.signal);
    reply.raw.off('close', leave);
    if (end === 'closed') throw new ServiceError('UNAVAILABLE', 'Tallylight is closing.');
    if (end === 'late') throw new ServiceError('UNAVAILABLE', 'What you asked for did not arrive in time.');
    if (!isPlayable(directory.find(playbackId), store)) throw new ServiceError('UNAVAILABLE', 'The stream is gone.');
  };

  app.get<{ Params: { playbackId: string } }>('/:playbackId/index.m3u8', (request, reply) => {
    const playback = directory.find(request.params.playbackId);
    if (playback.kind === 'unknown') throw new ServiceError('NOT_FOUND', 'No stream has this playback id.');
    const offered =
      playback.kind === 'playable' && playback.multivariant === 'on-air'
        ? playback.renditions.filter(({ store }) => store.offered)
        : [];
    if (offered.length === 0) throw refuseOffAir(reply);
    return sendPlaylist(request, reply, playlists.multivariant(offered), multivariantCaching);
  });

  app.get<{ Params: RenditionParams; Querystring: Record<string, unknown> }>(
    '/:playbackId/:rendition/index.m3u8',
    async (request, reply) => {
      const { rendition, renditions } = getRendition(directory, request.params, reply);
      const { store } = rendition;
      if (store.segments.length === 0) throw refuseOffAir(reply);
      const { until, delta } = parseDeliveryDirectives(request.query, store);
      const isReady = () => until === undefined || store.has(until.msn, until.partIndex) || store.ended;
      if (!isReady()) await wait(store, request.params.playbackId, reply, isReady);
      if (store.segments.length === 0) throw refuseOffAir(reply);
      const caching = describePlaylistCaching(store, until !== undefined);
      return sendPlaylist(request, reply, playlists.media(rendition, renditions, delta), caching);
    },
  );

  app.get<{ Params: RenditionParams & { id: string } }>('/:playbackId/:rendition/init-:id.mp4', (request, reply) => {
    const { store } = getRendition(directory, request.params, reply).rendition;
    const init = store.findInit(request.params.id);
    if (init === undefined) throw new ServiceError('NOT_FOUND', 'This init segment does not exist or is no longer available.');
    return sendMedia(request, reply, { buffers: [init.bytes], etag: `"${init.id}"`, type: 'video/mp4' });
  });

  app.get<{ Params: RenditionParams & { name: string } }>('/:playbackId/:rendition/:name.m4s', async (request, reply) => {
    const { store } = getRendition(directory, request.params, reply).rendition;
    const [, number = '-1', index] = /^(\d{1,15})(?:-(\d{1,6}))?$/.exec(request.params.name) ?? [];
    const msn = Number(number);
    if (index !== undefined) return sendPart(request, reply, store, { msn, index: Number(index) });
    const segment = store.findSegment(msn);
    if (segment === undefined || segment.gap) throw segmentGone();
    const etag = `"${msn}-${segment.sizeBytes}-${Math.round(segment.programDateTimeMs)}"`;
    const { path, sizeBytes } = segment;
    if (path !== undefined) return sendFile(request, reply, { path, sizeBytes, etag, type: segmentType });
    return sendMedia(request, reply, { buffers: segment.parts.map(({ bytes }) => bytes), etag, type: segmentType });
  });

  async function sendPart(
    request: FastifyRequest<{ Params: RenditionParams }>,
    reply: FastifyReply,
    store: SegmentStore,
    { msn, index }: { msn: number; index: number },
  ) {
    const isReady = () => store.findPart(msn, index).kind !== 'later';
    const isEarly = !isReady();
    if (isEarly) await wait(store, request.params.playbackId, reply, isReady);
    const found = store.findPart(msn, index);
    if (found.kind !== 'here' && isEarly && store.ended) {
      throw new ServiceError('NOT_FOUND', 'The stream has ended before this part.');
    }
    if (found.kind !== 'here') throw new ServiceError('NOT_FOUND', 'This part does not exist or is no longer available.');
    const { bytes } = found.part;
    return sendMedia(request, reply, { buffers: [bytes], etag: `"${msn}-${index}-${bytes.length}"`, type: segmentType });
  }
}

/**
 * Shared caches may keep the answer to a blocking request for longer: players that need more ask for a later part (rfc8216bis §6.2.5,
 * appendix B.1). But Video.js asks for the same part again when a segment is complete and the next one has no part yet. From the
 * browser's own cache it would get the same answer until that expires, and show nothing for as long.
 */
function describePlaylistCaching({ targetDurationSeconds, ended }: SegmentStore, blocking: boolean): string {
  if (blocking && !ended) return `public, max-age=0, s-maxage=${targetDurationSeconds * 6}`;
  return `public, max-age=${Math.max(Math.floor(targetDurationSeconds / 2), 1)}`;
}

interface RenditionParams {
  playbackId: string;
  rendition: string;
}

function getRendition(directory: PlaybackDirectory, { playbackId, rendition }: RenditionParams, reply: FastifyReply) {
  const playback = directory.find(playbackId);
  if (playback.kind === 'unknown') throw new ServiceError('NOT_FOUND', 'No stream has this playback id.');
  if (playback.kind === 'off-air') throw refuseOffAir(reply);
  const found: PlayableRendition | undefined = playback.renditions.find(({ name }) => name === rendition);
  if (found === undefined) throw new ServiceError('NOT_FOUND', 'The stream has no such rendition.');
  return { rendition: found, renditions: playback.renditions };
}

function isPlayable(playback: Playback, store: SegmentStore): boolean {
  return playback.kind === 'playable' && playback.renditions.some((rendition) => rendition.store === store);
}

function refuseOffAir(reply: FastifyReply): ServiceError {
  reply.header('retry-after', retryAfterSeconds);
  return new ServiceError('OFF_AIR', 'The stream is off air; playback begins when it goes live.');
}

function sendPlaylist(request: FastifyRequest, reply: FastifyReply, text: SharedText, caching: string): FastifyReply {
  reply.header('cache-control', caching).header('etag', text.etag).header('vary', 'Accept-Encoding');
  if (matchesEtag(request.headers['if-none-match'], text.etag)) return reply.code(304).send();
  reply.type(playlistType);
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(text.bytes);
  return reply.header('content-encoding', 'gzip').send(text.gzipped);
}
