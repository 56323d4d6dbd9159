import { onTestFinished } from 'vitest';
import { findEncodeTools } from '../../src/service/one-click/encode-tools.ts';
import type { OneClickEvent } from '../../src/service/one-click/one-click-event.ts';
import { startMediaPublisher } from '../../src/service/rtmp/unit-publisher.ts';
import type { EncodeSettings } from '../../src/shared/model/encode-settings.ts';
import type { OneClickState } from '../../src/shared/model/live.ts';
import { testSource } from '../../src/shared/model/source.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { planned, setUpOneClicks } from './one-click-stand.ts';
import { startTestService } from './test-service.ts';
import { waitUntil } from './wait-until.ts';

/** A one-click broadcast of the test picture that reaches a service's ingest through a proxy, which can be throttled. */
export async function startThrottledBroadcast(settings: EncodeSettings) {
  const stage = await startTestService();
  onTestFinished(() => stage.close());
  const { id, playbackId } = await stage.app.stream.create({ name: 'Throttled' });
  const { streamKey } = await stage.app.stream.revealKey({ streamId: id });
  const proxy = await startFaultProxy(stage.urls.rtmpPort);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const told: { atMs: number; event: OneClickEvent }[] = [];
  const { oneClicks } = setUpOneClicks({
    findTools: () => findEncodeTools(stage.folder),
    planner: { plan: async () => ({ ...planned, preview: { ...planned.preview, settings } }) },
    connect: (_streamId, signal) => startMediaPublisher({ url: `rtmp://127.0.0.1:${proxy.port}/live`, streamKey, signal }),
    onEvent: (_streamId, event) => told.push({ atMs: performance.now(), event }),
  });
  await oneClicks.goLive('show', { source: testSource, encode: { kind: 'by-hand', settings } });
  await waitUntil(
    await stage.app.stream.watch({ streamId: id }),
    ({ stream, session }) => stream.air.kind === 'on-air' && (session?.sourceSegmentsDuration ?? 0) > 0,
  );
  return {
    proxy,
    oneClicks,
    told,
    /** The playlist of the media that the ingest gets. */
    playlistUrl: `${stage.urls.localPlaybackBaseUrl}/${playbackId}/source/index.m3u8`,
    watch: stage.app.stream.watch,
    streamId: id,
    /** The broadcast's current state. */
    state: () => oneClicks.state('show') as Extract<OneClickState, { kind: 'running' }>,
    /** The decisions on the bitrate so far. */
    decisions: () => told.flatMap(({ event }) => (event.code === 'bitrate' ? [event.event] : [])),
  };
}
