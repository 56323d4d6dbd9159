import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { playbackRoutes } from '../../src/service/hls/hls-routes.ts';
import type { SegmentTracks } from '../../src/service/hls/packaged-segment.ts';
import type { Playback } from '../../src/service/hls/playback-directory.ts';
import type { SegmentStore } from '../../src/service/hls/segment-store.ts';
import type { SegmentStoreOptions } from '../../src/service/hls/stored-segment.ts';
import { createHttpServer } from '../../src/service/http/http-server.ts';
import { createSegmentStore } from './create-segment-store.ts';
import { TagPackager, type TagPackagerOptions } from './tag-packager.ts';

/** Takes media, and its end. */
type Feed = Pick<TagPackager, 'push' | 'end'>;

/** A stream that plays over HTTP: packagers feed its stores. */
export interface PlaybackStand {
  /** The source's. */
  store: SegmentStore;
  /** The renditions' stores, by name. */
  renditions: { name: string; store: SegmentStore }[];
  /** The source's media playlist, and the multivariant playlist. */
  mediaUrl: string;
  multivariantUrl: string;
  /** Packagers' reports about tracks and malformed tags. */
  tracks: SegmentTracks[];
  malformed: string[];
  /** A packager for one publisher. */
  createPackager(options?: Partial<TagPackagerOptions>): TagPackager;
  /** The session is over: ends the playlists. */
  end(): void;
  /**
   * The same packager, whose end also ends the playlists at the same moment, as an encoder's does. If they end a few milliseconds after
   * the last part, hls.js may be busy with that part, and never reaches the end (docs/architecture.md).
   */
  endingWith(packager: Feed): Feed;
  /** Resolves when media of this rendition, or of the `source`, is requested by so many players: pages of an origin each, or programs. */
  mediaAsked(rendition: string, players?: number): Promise<void>;
  /** Resolves when the source's media playlist has been requested so often, or its segments and parts. */
  sourceAsked(what: 'playlist' | 'media', times: number): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts it on any free local port, with the source and the named renditions. */
export async function startPlaybackStand({
  renditionNames = [],
  ...options
}: Partial<SegmentStoreOptions> & { renditionNames?: readonly string[] } = {}): Promise<PlaybackStand> {
  const store = createSegmentStore(options);
  const renditions = renditionNames.map((name) => ({ name, store: createSegmentStore(options) }));
  const tracks: SegmentTracks[] = [];
  const malformed: string[] = [];
  const app = createHttpServer({ log: pino({ level: 'silent' }) });
  const find = (playbackId: string): Playback => {
    if (playbackId !== 'show') return { kind: 'unknown' };
    const multivariant = store.ended ? 'ended' : 'on-air';
    return { kind: 'playable', multivariant, renditions: [{ name: 'source', store }, ...renditions] };
  };
  /** The clients that requested media, by rendition: the origin of a page, or the name of a program. */
  const askers = new Map(['source', ...renditionNames].map((name) => [name, new Set<string | undefined>()]));
  const waiting = new Set<() => void>();
  const sourceReads = { playlist: 0, media: 0 };
  /** Resolves once the condition holds. */
  const until = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!isSo()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  app.addHook('onRequest', async ({ url, headers }) => {
    const [, name = ''] = /\/([^/]+)\/[\d-]+\.m4s$/.exec(url) ?? [];
    if (name === 'source') sourceReads.media += 1;
    if (/\/source\/index\.m3u8/.test(url)) sourceReads.playlist += 1;
    askers.get(name)?.add(headers.origin ?? headers['user-agent']);
    for (const look of waiting) look();
  });
  await app.register(playbackRoutes({ find }), { prefix: '/hls' });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const end = () => {
    for (const one of [store, ...renditions.map((rendition) => rendition.store)]) one.end();
  };
  const baseUrl = `http://127.0.0.1:${port}/hls/show`;
  return {
    store,
    renditions,
    mediaUrl: `${baseUrl}/source/index.m3u8`,
    multivariantUrl: `${baseUrl}/index.m3u8`,
    tracks,
    malformed,
    createPackager: (changes) =>
      new TagPackager({
        startedAtMs: Date.UTC(2030, 0, 1),
        sink: store,
        onTracks: (changed) => tracks.push(changed),
        onMalformed: (error) => malformed.push(error.message),
        ...changes,
      }),
    end,
    endingWith: (packager) => ({
      push: (tag) => packager.push(tag),
      end: () => {
        packager.end();
        end();
      },
    }),
    mediaAsked: (rendition, players = 1) => until(() => (askers.get(rendition)?.size ?? 0) >= players),
    sourceAsked: (what, times) => until(() => sourceReads[what] >= times),
    [Symbol.asyncDispose]: () => app.close(),
  };
}
