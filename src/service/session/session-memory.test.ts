import { expect, test } from 'vitest';
import { collectGarbage } from '../../../test/support/collect-garbage.ts';
import { broadcast } from '../../../test/support/flv-builder.ts';
import { LiveStage } from '../../../test/support/live-stage.ts';
import { soon } from '../../../test/support/soon.ts';

/** A stream whose broadcast has ended, its publisher, and the memory of its frames. */
function broadcastOnce() {
  const stage = new LiveStage();
  const publisher = stage.createPublisher();
  const sink = stage.stream.admit(publisher);
  const tags = broadcast({ durationMs: 5_000, frameBytes: 100_000 });
  stage.play(sink, tags);
  sink.end({ kind: 'unpublished' });
  const frames = tags.filter(({ body }) => body.length > 100_000).map(({ body }) => new WeakRef(body.buffer));
  return { stage, publisher: new WeakRef(publisher), frames };
}

test('a stream whose broadcast nobody can watch any more keeps neither the connection of its encoder nor a picture', async () => {
  const { stage, publisher, frames } = broadcastOnce();
  stage.state.now += 3_600_000;
  stage.stream.tick();
  expect(frames.length).toBe(125);
  await soon(() => {
    collectGarbage();
    const left = frames.filter((frame) => frame.deref() !== undefined).length;
    expect([left, publisher.deref() === undefined]).toEqual([0, true]);
  });
});
