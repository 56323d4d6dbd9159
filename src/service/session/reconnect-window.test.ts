import { expect, test } from 'vitest';
import { createPublisher } from '../../../test/support/create-publisher.ts';
import { readEightSeconds } from '../../../test/support/flv-fixture.ts';
import { LiveStage } from '../../../test/support/live-stage.ts';
import { pushTag } from '../../../test/support/push-tag.ts';
import { openStoreStand } from '../../../test/support/store-stand.ts';
import { Settings } from '../../shared/model/settings.ts';
import { defaultIngestBounds } from '../config.ts';

const longestSeconds = Settings.shape.reconnectWindowSeconds.maxValue ?? Number.NaN;

test('a stream that waits for its publisher is active to the end of the longest reconnect window', async () => {
  using stand = await openStoreStand();
  const { clock, streams, ledger } = stand;
  const { id: streamId, playbackId } = await streams.create({ name: 'Sunday show' });
  const reconnectWindowMs = () => longestSeconds * 1000;
  const { stream: live } = new LiveStage({ streamId, playbackId, clock, ledger, reconnectWindowMs });
  const publisher = createPublisher({ connectedAt: clock.time });
  const sink = live.admit(publisher);
  const startMs = clock.time;
  for (const tag of readEightSeconds()) {
    clock.time = startMs + tag.timestampMs;
    pushTag(sink, tag);
  }
  live.tick();
  clock.time += defaultIngestBounds.mediaTimeoutMs;
  sink.end({ kind: 'lost', cause: { code: 'no-media', forMs: 10_000 } });
  clock.time += longestSeconds * 1000 - 1;
  live.tick();
  expect(streams.get(streamId).isActive).toBe(true);
  clock.time += 1;
  live.tick();
  expect(streams.get(streamId).isActive).toBe(false);
  await live.close();
});
