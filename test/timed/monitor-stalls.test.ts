import { setInterval } from 'node:timers/promises';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import type { PlaybackReport } from '../../src/shared/model/live.ts';
import type { VerdictCode } from '../../src/shared/model/verdict.ts';
import { publishTags } from '../support/publish-tags.ts';
import { makeSource } from '../support/synthetic-source.ts';
import { startTestService } from '../support/test-service.ts';

let stage: Awaited<ReturnType<typeof startTestService>>;
let source: FlvTag[];
beforeAll(async () => {
  [stage, source] = await Promise.all([startTestService(), makeSource({ seconds: 40 })]);
});
afterAll(() => stage.close());

/** A monitor whose picture freezes when it has had no media for as long as it has in hand. */
class ModelMonitor {
  #mediaAtMs = performance.now();
  #stalls = 0;
  #stalledMs = 0;
  #heldMs = 0;

  takeMedia(): void {
    this.#mediaAtMs = performance.now();
  }

  look(): PlaybackReport {
    const inHandMs = 1_200;
    const heldMs = Math.max(0, performance.now() - this.#mediaAtMs - inHandMs);
    if (heldMs > 0 && this.#heldMs === 0) this.#stalls += 1;
    this.#stalledMs += Math.max(0, heldMs - this.#heldMs);
    this.#heldMs = heldMs;
    return {
      ...(heldMs > 0 ? { state: 'stalled', holdSeconds: heldMs / 1000 } : { state: 'playing' }),
      stalls: this.#stalls,
      stalledSeconds: this.#stalledMs / 1000,
      droppedFrames: 0,
      decodedFrames: 100,
    };
  }
}

/** Publishes these tags, of which the monitor gets those before `monitoredMs`; every verdict until one of `code`, or the end. */
async function drawVerdicts(
  { onTestFinished, task }: Pick<TestContext, 'onTestFinished' | 'task'>,
  tags: readonly FlvTag[],
  { monitoredMs, code }: { monitoredMs: number; code?: VerdictCode },
): Promise<Set<VerdictCode>> {
  const { app, urls } = stage;
  const { id: streamId } = await app.stream.create({ name: task.name.slice(0, 50) });
  const { streamKey } = await app.stream.revealKey({ streamId });
  const monitor = new ModelMonitor();
  function* watched() {
    for (const tag of tags) {
      yield tag;
      if (tag.timestampMs < monitoredMs) monitor.takeMedia();
    }
  }
  const over = new AbortController();
  const published = publishTags({ port: urls.rtmpPort, streamKey }, watched())
    .catch(() => {})
    .finally(() => over.abort());
  const report = async () => {
    for await (const _ of setInterval(250, undefined, { signal: over.signal })) {
      await app.playback.report({ streamId, pageId: 'page', report: monitor.look() });
    }
  };
  const reported = report().catch(() => {});
  onTestFinished(async () => {
    await app.broadcast.stop({ streamId });
    await Promise.all([published, reported]);
  });
  const codes = new Set<VerdictCode>();
  for await (const { verdict } of await app.stream.watch({ streamId })) {
    if (verdict) codes.add(verdict.code);
    if ((verdict && verdict.code === code) || over.signal.aborted) break;
  }
  return codes;
}

test.concurrent('a monitor that freezes while media arrives stalls', async (context) => {
  expect(await drawVerdicts(context, source, { monitoredMs: 9_000, code: 'play-stalls' })).toContain('play-stalls');
});

/** `source` without its media in these spans. */
const pausing = (endMs: number, spans: readonly (readonly [from: number, to: number])[]) =>
  source.filter(({ timestampMs: at }) => at < endMs && !spans.some(([from, to]) => at >= from && at < to));

test.concurrent('a monitor that freezes once because the encoder pauses is not blamed, nor is the encoder for one pause', async (context) => {
  // Stalls count again 8 s after the pause.
  const codes = await drawVerdicts(context, pausing(23_000, [[9_000, 11_800]]), { monitoredMs: 23_000 });
  expect(codes).toContain('good');
  expect(codes).not.toContain('play-stalls');
  expect(codes).not.toContain('arrives-with-pauses');
});

test.concurrent('an encoder that keeps pausing is blamed, and not the monitor that freezes each time', async (context) => {
  const paused = pausing(24_000, [
    [9_000, 11_000],
    [13_000, 15_000],
    [18_000, 20_000],
  ]);
  const codes = await drawVerdicts(context, paused, { monitoredMs: 24_000 });
  expect(codes).toContain('arrives-with-pauses');
  expect(codes).not.toContain('play-stalls');
});
