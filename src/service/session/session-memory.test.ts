import { expect, test } from 'vitest';
import { admitted } from '../../../test/support/admitted.ts';
import { collectGarbage } from '../../../test/support/collect-garbage.ts';
import { createPublisher } from '../../../test/support/create-publisher.ts';
import { broadcast, encoderMetadata } from '../../../test/support/flv-builder.ts';
import { LiveStage } from '../../../test/support/live-stage.ts';
import { pushTag } from '../../../test/support/push-tag.ts';
import { soon } from '../../../test/support/soon.ts';
import { openStoreStand } from '../../../test/support/store-stand.ts';
import { createTestRegistry } from '../../../test/support/test-registry.ts';

/** A stream whose broadcast has ended, its publisher, the memory of its frames, and the stores of its segments. */
function broadcastOnce() {
  const stage = new LiveStage({ profiles: () => [{ name: '360p', width: 640, height: 360, bitrate: 1_000_000, fps: 25 }] });
  const publisher = stage.createPublisher();
  const sink = stage.stream.admit(publisher);
  const tags = broadcast({ durationMs: 5_000, frameBytes: 100_000 });
  stage.play(sink, tags);
  sink.end({ kind: 'unpublished' });
  const frames = tags.filter(({ body }) => body.length > 100_000).map(({ body }) => new WeakRef(body.buffer));
  const playback = stage.stream.playback();
  const playable = playback.kind === 'playable' ? playback.renditions : [];
  return { stage, publisher: new WeakRef(publisher), frames, stores: playable.map(({ store }) => new WeakRef(store)) };
}

test('a stream whose broadcast nobody can watch any more keeps neither its encoder, a picture nor a playlist', async () => {
  const { stage, publisher, frames, stores } = broadcastOnce();
  stage.state.now += 3_600_000;
  stage.stream.tick();
  expect([frames.length, stores.length]).toEqual([125, 2]);
  await soon(() => {
    collectGarbage();
    const [keptFrames, keptStores] = [frames, stores].map((all) => all.filter((each) => each.deref() !== undefined).length);
    expect([keptFrames, keptStores, publisher.deref()]).toEqual([0, 0, undefined]);
  });
});

test('a stream that is on air again keeps no rendition of the broadcast before, even if an encoder that sent nothing came between', async () => {
  const { stage, stores } = broadcastOnce();
  stage.stream.admit(stage.createPublisher()).end({ kind: 'lost', cause: { code: 'closed' } });
  stage.play(stage.stream.admit(stage.createPublisher()));
  await soon(() => {
    collectGarbage();
    // The source's store stays.
    expect(stores.map((each) => each.deref() !== undefined)).toEqual([true, false]);
  });
});

test('a publisher that has taken over keeps nothing of the connection that it replaced', async () => {
  using stand = await openStoreStand();
  const registry = createTestRegistry(stand);
  const { streamKey } = await stand.streams.create({ name: 'On air' });
  const connect = () => {
    const publisher = createPublisher();
    return { sink: admitted(registry.admit(streamKey, publisher)), publisher: new WeakRef(publisher) };
  };
  const replaced = connect().publisher;
  const { sink } = connect();
  pushTag(sink, encoderMetadata({ encoder: 'vMix 27' }));
  await soon(() => {
    collectGarbage();
    expect(replaced.deref()).toBeUndefined();
  });
  sink.end({ kind: 'unpublished' });
  await registry.close();
});
