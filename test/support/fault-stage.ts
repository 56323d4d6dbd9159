import { expect } from 'vitest';
import type { RtmpPublisherOptions } from '../../src/service/rtmp/rtmp-client.ts';
import { startMediaPublisher } from '../../src/service/rtmp/unit-publisher.ts';
import type { IngestFailure } from '../../src/shared/model/ingest-failure.ts';
import type { Severity } from '../../src/shared/model/live.ts';
import type { LogEvent } from '../../src/shared/model/log-line.ts';
import { type Source, testSource } from '../../src/shared/model/source.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { describeLogEvent } from '../../src/shared/words/log-words.ts';
import { readHoldings, settleHoldings } from './accounting.ts';
import { type FaultProxy, type FaultProxyOptions, startFaultProxy } from './fault-proxy.ts';
import { type FoundProcess, findEncoders, theOnly } from './find-processes.ts';
import { encodeLightly } from './light-encode.ts';
import { startLiveViewer } from './live-viewer.ts';
import { followOwner, type OwnerReading, withoutNumbers } from './owner-reading.ts';
import { findBrokenRules, readPlaylist } from './read-playlist.ts';
import { soon } from './soon.ts';
import { startTestService, type TestServiceOptions } from './test-service.ts';
import { testAuthority } from './tls-fixtures.ts';
import { waitUntil } from './wait-until.ts';

/** Lines that depend on the computer's load: whether the ingest noticed a loss, and changes of the bitrate. */
const leftOut: readonly LogEvent['code'][] = ['encoder-lost', 'back-on-air', 'took-over', 'bitrate'];

/** Cheap to make, since many run side by side; an upload can be too slow for it. */
const encodeWith = (fps: number) => encodeLightly({ fps, videoBitrateBps: 800_000 });

/** Whether a new connection has replaced a lost one. */
export const isReconnected = ({ stream, log }: StreamLive): boolean =>
  stream.air.kind === 'on-air' && log.some(({ event: { code } }) => code === 'back-on-air' || code === 'took-over');

/** Whether it has failed so often to reconnect, and for this reason. */
export const isRetrying =
  (code: IngestFailure['code'], attempt = 1) =>
  ({ oneClick }: StreamLive): boolean =>
    oneClick.kind === 'retrying' && oneClick.failure.code === code && oneClick.attempt >= attempt;

/** The upload's stage in Health as the owner sees it, whatever else is wrong. */
export const isUpload =
  (severity: Severity) =>
  ({ stages }: StreamLive): boolean =>
    stages.some((report) => report.stage === 'upload' && report.severity === severity);

/** How long a viewer may take to see media from after a fault, before a test gives up. */
const patienceMs = 60_000;
/**
 * Viewers should have a current picture within 5 s after a fault, or after the attempt to reconnect that was due then. This is for a
 * busy computer, whose encoder falls behind by seconds. Whether a further attempt was needed is counted instead.
 */
const maxSeconds = 20;

export interface FaultyBroadcastOptions extends FaultProxyOptions {
  name: string;
  source?: Source;
  /** Its frame rate, by which its encoder is known from those of broadcasts that began later. */
  fps?: number;
  /** How our publisher connects to the proxy; by default with RTMP and its address. */
  publish?: Partial<Pick<RtmpPublisherOptions, 'lookup' | 'authorities'>> & { scheme?: 'rtmps'; host?: string };
}

/** Our publisher connects with RTMPS. */
export const overTls: Partial<FaultyBroadcastOptions> = {
  certificate: 'ingest',
  publish: { scheme: 'rtmps', host: 'localhost', authorities: [testAuthority] },
};

/** The owner's reading of a broadcast, with `n` for each number, and its playlist's properties. */
export interface BroadcastRecord {
  /** The lines of "What happened", sorted, without verdicts that came and went, and without {@link leftOut}. */
  log: string[];
  failures: OwnerReading['failures'];
  playlist: PlaylistRecord;
}

/** The properties of all versions of a playlist that a viewer got. */
export interface PlaylistRecord {
  /** Rules of the standard that it broke. */
  broken: string[];
  /** It has an EXT-X-DISCONTINUITY. */
  isContinued: boolean;
  /** Versions with EXT-X-ENDLIST before the last. */
  early: number;
}

/**
 * One click through a network of its own, with a viewer, to a service that all of a file's tests share. Disposing it cleans up for later
 * tests, even if a failed test didn't stop it.
 */
export interface FaultyBroadcast extends AsyncDisposable {
  streamId: string;
  proxy: FaultProxy;
  /** Where viewers play it. */
  mediaUrl: string;
  /** The owner's reading so far. */
  reading: Readonly<OwnerReading>;
  /** The process of its ffmpeg. */
  encoder(): Promise<FoundProcess>;
  goLive(): Promise<void>;
  /** Resolves when the viewer's newest media was captured after this call and the condition holds, with the seconds that took. */
  timeUntilCurrent(isBack?: (live: StreamLive) => boolean): Promise<number>;
  /** How many milliseconds ago the viewer's newest media was captured. */
  readonly behindMs: number;
  /** Waits until the owner's view satisfies this condition. */
  until(is: (live: StreamLive) => boolean): Promise<StreamLive>;
  /** Stops it, within 5 s. */
  stop(): Promise<BroadcastRecord>;
}

/** A service whose one-click broadcasts each reach its ingest through a network that a test can make bad. */
export async function startFaultStage(options: Pick<TestServiceOptions, 'readAddresses'> = {}) {
  const holdings = await readHoldings();
  const routes = new Map<string, Partial<RtmpPublisherOptions>>();
  const closing = new AsyncDisposableStack();
  const service = closing.use(
    await startTestService({
      ...options,
      openPublication: (options) => startMediaPublisher({ ...options, ...routes.get(options.streamKey) }),
    }),
  );
  const results: string[] = [];

  /** Notes a measurement, for the list that is printed in the end. */
  function record(what: string, seconds: number): void {
    results.push(`${what}: ${seconds.toFixed(1)} s`);
  }

  async function open(options: FaultyBroadcastOptions): Promise<FaultyBroadcast> {
    const { name, source = testSource, fps = 10 } = options;
    const { id: streamId, playbackId } = await service.app.stream.create({ name });
    const { streamKey } = await service.app.stream.revealKey({ streamId });
    const proxy = closing.use(await startFaultProxy(service.urls.rtmpPort, options));
    const { scheme = 'rtmp', host = options.host ?? '127.0.0.1', ...connection } = options.publish ?? {};
    routes.set(streamKey, { url: `${scheme}://${host}:${proxy.port}/live`, ...connection });
    const mediaUrl = `${service.urls.playbackBaseUrl}/${playbackId}/source/index.m3u8`;
    const texts: string[] = [];
    let edgeMs = Number.NEGATIVE_INFINITY;
    const viewer = closing.use(
      startLiveViewer(mediaUrl, (text) => {
        texts.push(text);
        // The last frame before dropped ones is assumed to last until the next.
        edgeMs = Math.max(edgeMs, Math.min(findLiveEdgeMs(text), Date.now()));
      }),
    );
    const known = new Set((await findEncoders(process.pid)).map(({ pid }) => pid));
    // A keyframe a second: its GOP has as many frames.
    const isIts = ({ pid, words }: FoundProcess) => !known.has(pid) && words[words.indexOf('-g') + 1] === String(fps);
    const reading: OwnerReading = { failures: [], retriesAt: [] };
    const watching = new AbortController();
    const read = followOwner(await service.app.stream.watch({ streamId }, { signal: watching.signal }), reading);
    const endReading = async () => {
      watching.abort();
      await read;
    };
    const endNetwork = async () => {
      await viewer[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
    };
    return {
      streamId,
      proxy,
      mediaUrl,
      reading,
      // One that is replaced, as on a busy computer, runs beside its successor for a moment.
      encoder: () => soon(async () => theOnly((await findEncoders(process.pid)).filter(isIts))),
      async goLive() {
        await service.app.broadcast.goLive({ streamId, source, encode: encodeWith(fps) });
      },
      async timeUntilCurrent(isBack) {
        const since = Date.now();
        if (isBack !== undefined) await waitUntil(await service.app.stream.watch({ streamId }), isBack);
        await soon(() => {
          if (edgeMs < since) throw new Error(`The viewer's newest media was captured ${since - edgeMs} ms before.`);
        }, patienceMs);
        return (Date.now() - since) / 1000;
      },
      get behindMs() {
        return Date.now() - edgeMs;
      },
      until: async (is) => waitUntil(await service.app.stream.watch({ streamId }), is),
      async stop() {
        const since = performance.now();
        await service.app.broadcast.stop({ streamId });
        const tookMs = performance.now() - since;
        if (tookMs > 5_000) throw new Error(`Stop took ${tookMs} ms.`);
        const { log } = await waitUntil(
          await service.app.stream.watch({ streamId }),
          ({ stream }) => stream.air.kind === 'off-air',
        );
        await endReading();
        await soon(() => {
          if (texts.length > 0 && !texts.at(-1)?.includes('#EXT-X-ENDLIST'))
            throw new Error('The viewer waits for the end of the playlist.');
        }, patienceMs);
        await endNetwork();
        const lines = log
          .filter(({ event: { code } }) => !code.startsWith('trouble') && !leftOut.includes(code))
          .map(({ event }) => describeLogEvent(event, 0));
        return {
          log: lines.map(withoutNumbers).sort(),
          failures: reading.failures,
          playlist: describePlaylist(texts, viewer.faults),
        };
      },
      async [Symbol.asyncDispose]() {
        await service.app.broadcast.stop({ streamId });
        await endReading();
        await endNetwork();
      },
    };
  }

  return {
    ...service,
    open,
    /** One click on air, with a viewer who sees it. */
    async goOnAir(options: FaultyBroadcastOptions): Promise<FaultyBroadcast> {
      const broadcast = await open(options);
      await broadcast.goLive();
      await broadcast.until(({ stream: { air } }) => air.kind === 'on-air');
      await broadcast.timeUntilCurrent();
      return broadcast;
    },
    record,
    /**
     * Waits until viewers have a current picture after a fault, and notes how long that took. The attempt to reconnect that was due,
     * or under way, must lead to it, or the next one.
     */
    async recover(
      fault: string,
      broadcast: FaultyBroadcast,
      { withinSeconds = maxSeconds, isBack }: { withinSeconds?: number; isBack?: (live: StreamLive) => boolean } = {},
    ): Promise<void> {
      const endedAt = Date.now();
      const attemptsBefore = broadcast.reading.retriesAt.length;
      const seconds = await broadcast.timeUntilCurrent(isBack);
      record(fault, seconds);
      const { retriesAt } = broadcast.reading;
      expect(retriesAt.length - attemptsBefore).toBeLessThanOrEqual(1);
      expect(seconds - Math.max(0, (retriesAt.at(-1) ?? 0) - endedAt) / 1000).toBeLessThan(withinSeconds);
    },
    /** Closes everything, prints the measurements, and returns the remaining processes, sockets and timers. */
    async close(): Promise<string[]> {
      await closing.disposeAsync();
      console.log(`Until viewers had a current picture again:\n${results.sort().join('\n')}`);
      return settleHoldings(holdings, 10_000);
    },
  };
}

/** When the newest media of a playlist was captured, in epoch milliseconds. */
function findLiveEdgeMs(text: string): number {
  const [newest = ''] = text.split('#EXT-X-PROGRAM-DATE-TIME:').slice(-1);
  const sum = (pattern: RegExp) => [...newest.matchAll(pattern)].reduce((seconds, [, each]) => seconds + Number(each), 0);
  const seconds = sum(/^#EXTINF:([\d.]+)/gm) || sum(/^#EXT-X-PART:DURATION=([\d.]+)/gm);
  return Date.parse(newest.slice(0, newest.indexOf('\n'))) + seconds * 1000;
}

function describePlaylist(texts: readonly string[], faults: readonly string[]): PlaylistRecord {
  const playlists = texts.map(readPlaylist);
  const sequences = playlists.map(({ mediaSequence }) => mediaSequence);
  const fallen = sequences.filter((sequence, index) => sequence < (sequences[index - 1] ?? 0));
  return {
    broken: [
      ...new Set([
        ...faults,
        ...fallen.map((sequence) => `EXT-X-MEDIA-SEQUENCE fell to ${sequence}.`),
        ...playlists.flatMap(findBrokenRules),
      ]),
    ],
    isContinued: (playlists.at(-1)?.segments.at(-1)?.discontinuitySequence ?? 0) > 0,
    early: playlists.filter(({ ended }, index) => ended && !playlists.slice(index).every((later) => later.ended)).length,
  };
}
