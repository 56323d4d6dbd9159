import { expect, test } from 'vitest';
import { eightSeconds, LiveStage } from '../../../test/support/live-stage.ts';
import { openLiveViews } from '../../../test/support/live-views.ts';
import { pushTag } from '../../../test/support/push-tag.ts';
import { shiftTags } from '../../../test/support/synthetic-source.ts';
import type { PlaybackReport } from '../../shared/model/live.ts';
import type { VerdictCode } from '../../shared/model/verdict.ts';
import { PlayReports } from '../health/play-reports.ts';
import { drawVerdict } from '../health/verdict.ts';

const source = Array.from({ length: 5 }, (_, round) => shiftTags(eightSeconds, round * 8_000)).flat();

/** A monitor whose picture freezes once its buffer runs out. Times are in milliseconds. */
class ModelMonitor {
  #mediaAtMs: number;
  #stalls = 0;
  #stalledMs = 0;
  #heldMs = 0;

  constructor(nowMs: number) {
    this.#mediaAtMs = nowMs;
  }

  takeMedia(nowMs: number): void {
    this.#mediaAtMs = nowMs;
  }

  look(nowMs: number): PlaybackReport {
    const inHandMs = 1_200;
    const heldMs = Math.max(0, nowMs - this.#mediaAtMs - inHandMs);
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

/** Publishes these tags, of which the monitor gets those before `monitoredMs`; every verdict until the last of them. */
function drawVerdicts(tags: Readonly<typeof source>, { monitoredMs }: { monitoredMs: number }): Set<VerdictCode> {
  const stage = new LiveStage();
  const { stream, state } = stage;
  const playReports = new PlayReports({ clock: stage.options.clock, onChange: () => {} });
  const { views } = openLiveViews(stage, { playReports });
  const monitor = new ModelMonitor(state.now);
  const sink = stream.admit(stage.createPublisher());
  const startMs = state.now;
  const codes = new Set<VerdictCode>();
  const draw = () => {
    const verdict = drawVerdict(views.facts(stream.streamId));
    if (verdict) codes.add(verdict.code);
  };
  /** Passes the time up to `atMs` of the media, with a report each 250 ms and a tick each second. */
  const passTo = (atMs: number) => {
    while (state.now < startMs + atMs) {
      state.now += 1;
      const ms = state.now - startMs;
      if (ms % 250 === 0) {
        playReports.add(stream.streamId, 'page', monitor.look(state.now));
        if (ms % 1_000 === 0) stream.tick();
        draw();
      }
    }
  };
  for (const tag of tags) {
    passTo(tag.timestampMs);
    pushTag(sink, tag);
    draw();
    if (tag.timestampMs < monitoredMs) monitor.takeMedia(state.now);
  }
  return codes;
}

test('a monitor that freezes while media arrives stalls', () => {
  expect(drawVerdicts(source, { monitoredMs: 9_000 })).toContain('play-stalls');
});

/** `source` without its media in these spans. */
const pausing = (endMs: number, spans: readonly (readonly [from: number, to: number])[]) =>
  source.filter(({ timestampMs: at }) => at < endMs && !spans.some(([from, to]) => at >= from && at < to));

test('if a monitor freezes once because the encoder pauses, neither is blamed', () => {
  // Stalls count again 8 s after the pause.
  const codes = drawVerdicts(pausing(23_000, [[9_000, 11_800]]), { monitoredMs: 23_000 });
  expect(codes).toContain('good');
  expect(codes).not.toContain('play-stalls');
  expect(codes).not.toContain('arrives-with-pauses');
});

test('an encoder that keeps pausing is blamed, and not the monitor that freezes each time', () => {
  const paused = pausing(24_000, [
    [9_000, 11_000],
    [13_000, 15_000],
    [18_000, 20_000],
  ]);
  const codes = drawVerdicts(paused, { monitoredMs: 24_000 });
  expect(codes).toContain('arrives-with-pauses');
  expect(codes).not.toContain('play-stalls');
});
