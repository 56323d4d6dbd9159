import { expect, onTestFinished, test, vi } from 'vitest';
import { chooseBySeed } from '../../../test/support/chaos/seeded-choice.ts';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { audioFrame, audioHeader, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { findBrokenRules, PlaylistWatch } from '../../../test/support/playlist-rules.ts';
import { SimulatedRun, type SimulatedWork } from '../../../test/support/simulated-run.ts';
import { TagPackager } from '../../../test/support/tag-packager.ts';
import { smallProfiles } from '../../../test/support/transcode-stand.ts';
import { SegmentPlan } from '../hls/segment-plan.ts';
import type { FillingSegment } from '../hls/stored-segment.ts';
import { Ladder } from '../transcode/ladder.ts';
import { defaultLadderBounds } from '../transcode/ladder-bounds.ts';
import { RenditionSet } from './rendition-set.ts';

const stepMs = 50;
const fps = 10;
const troubledMs = 30_000;
const calmMs = 15_000;
/** Short enough for the calm to end every rest, and every pause of a rendition that was shed. */
const bounds = {
  ...defaultLadderBounds,
  drainMs: 4_000,
  slowMs: 2_000,
  stallMs: 3_000,
  returnAfterMs: 2_000,
  maxReturnAfterMs: 4_000,
  crashWindowMs: 10_000,
  restMs: 2_000,
  maxRestMs: 4_000,
};
/** One encoder stalls, and two before it still drain, one after another. */
const maxBehindMs = bounds.stallMs + 2 * bounds.drainMs;

const firstSeed = 22;
const seeds = Array.from({ length: Number(process.env.FUZZ_RUNS ?? 9) }, (_, index) => firstSeed + index);

test.each(seeds)(
  'whatever publishers, encoders and owners do, each rendition has the numbers of its source, and recovers (seed %i)',
  async (seed) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const choice = chooseBySeed(seed);
    const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
    const done: string[] = [];
    const fail = (what: string) => expect.fail(`${what}, at ${clock.nowMs} ms: ${done.join(', ')}`);

    const well = (): SimulatedWork => ({ latencyMs: choice.integer(50, 600), frameMs: 0 });
    const chooseWork = (): SimulatedWork =>
      choice.pick([
        ...Array<SimulatedWork>(6).fill(well()),
        { latencyMs: choice.integer(600, 5_000), frameMs: 0 },
        { latencyMs: 200, frameMs: choice.integer(110, 1_000) },
        { latencyMs: 200, frameMs: 0, crashAfterMs: choice.integer(0, 8_000) },
        { latencyMs: 200, frameMs: Number.POSITIVE_INFINITY },
      ]);
    let isCalm = false;
    const runs: SimulatedRun[] = [];
    const running = () => runs.filter(({ isRunning }) => isRunning);
    const set = new RenditionSet({
      profiles: smallProfiles,
      createStore: () => createSegmentStore({ windowSeconds: () => 10 }),
      onSegment: () => {},
      onEvent: ({ code, names }) => done.push(`${clock.nowMs} ms ${code} ${names}`),
      startLadder: (options) =>
        new Ladder(
          {
            ...options,
            clock,
            bounds,
            canDecode: () => true,
            encoder: choice.pick(['libx264', 'h264_nvenc']),
            ffmpegPath: () => '/nowhere/ffmpeg',
            processors: { readCores: () => [], readCpuSeconds: () => undefined },
          },
          (run) => {
            const started = new SimulatedRun(run, isCalm ? well() : chooseWork(), clock);
            runs.push(started);
            return started;
          },
        ),
    });
    const source = createSegmentStore({ windowSeconds: () => 10 });
    const renditions = set.playable;
    const watches = [source, ...renditions.map(({ store }) => store)].map((store) => new PlaylistWatch(store));
    const describePlace = ({ discontinuity, discontinuitySequence }: FillingSegment) =>
      `${discontinuity} ${discontinuitySequence}`;
    /** The places of the source's segments, and when they began. */
    const begun = new Map<number, { place: string; atMs: number }>();
    source.onChange(() => {
      const newest = source.open ?? source.segments.at(-1);
      if (newest && !begun.has(newest.msn)) begun.set(newest.msn, { place: describePlace(newest), atMs: clock.nowMs });
    });

    let publisher: ReturnType<typeof publish> | undefined;
    let plans = 0;
    const publish = () => {
      const plan = new SegmentPlan(plans * 100);
      plans += 1;
      const feed = set.start(plan, () => fps);
      const { programDateTimeMs = 0, durationSeconds = 0 } = source.segments.at(-1) ?? {};
      const packager = new TagPackager({
        startedAtMs: Math.max(clock.nowMs, programDateTimeMs + durationSeconds * 1000),
        sink: source,
        plan,
        onPlaced: (unit) => feed.push(unit),
      });
      packager.push(videoHeader());
      const hasSound = choice.integer(1, 3) > 1;
      if (hasSound) packager.push(audioHeader());
      return {
        feed,
        packager,
        hasSound,
        fromMs: clock.nowMs,
        gopFrames: choice.pick([5, 10, 20]),
        frame: 0,
        silentUntilMs: 0,
        headers: 0,
      };
    };
    const send = (live: NonNullable<typeof publisher>) => {
      const timestampMs = clock.nowMs - live.fromMs;
      if (live.hasSound) live.packager.push(audioFrame(timestampMs));
      if (clock.nowMs % (1000 / fps) !== 0) return;
      live.packager.push(videoFrame(timestampMs, { keyframe: live.frame % live.gopFrames === 0 }));
      live.frame += 1;
    };
    const leave = () => {
      publisher?.packager.end();
      void publisher?.feed.end();
      publisher = undefined;
    };
    const withRun = (act: (run: SimulatedRun) => void) => () => {
      if (running().length > 0) act(choice.pick(running()));
    };
    const operations: Record<string, () => void> = {
      connect: () => {
        leave();
        publisher = publish();
      },
      leave,
      choose: () => set.choose(choice.pick([['90p', '72p'], ['90p'], ['72p'], []])),
      crash: withRun((run) => run.crash()),
      change: withRun((run) => {
        run.work = chooseWork();
      }),
      pause: () => {
        if (publisher) publisher.silentUntilMs = clock.nowMs + choice.integer(200, 6_000);
      },
      // Its timestamps jump.
      jump: () => {
        if (!publisher) return;
        publisher.fromMs -= 20_000;
        publisher.frame = 0;
      },
      announce: () => {
        if (!publisher) return;
        publisher.headers += 1;
        const record = publisher.headers % 2 === 0 ? '1280x720' : '1920x1080 at 30';
        publisher.packager.push(videoHeader(record, clock.nowMs - publisher.fromMs));
        publisher.frame = 0;
      },
    };
    const step = async () => {
      clock.nowMs += stepMs;
      vi.advanceTimersByTime(stepMs);
      for (const run of running()) run.step();
      if (publisher && clock.nowMs >= publisher.silentUntilMs) send(publisher);
      if (clock.nowMs % 1_000 === 0) set.tick();
      await new Promise(setImmediate);
      for (const { name, store } of renditions) {
        const newest = store.segments.at(-1);
        if (newest === undefined || store.ended) continue;
        if (describePlace(newest) !== begun.get(newest.msn)?.place) fail(`${name} has another segment ${newest.msn}`);
        const later = begun.get(newest.msn + 2);
        if (later && clock.nowMs - later.atMs > maxBehindMs) fail(`${name} ends with ${newest.msn}`);
      }
    };

    operations.connect?.();
    while (clock.nowMs < troubledMs) {
      await step();
      if (choice.integer(1, 20) > 1) continue;
      const name = choice.pick(Object.keys(operations));
      operations[name]?.();
      done.push(`${clock.nowMs} ms ${name}`);
    }
    isCalm = true;
    set.choose(['90p', '72p']);
    if (publisher) publisher.gopFrames = 10;
    else operations.connect?.();
    for (const run of running()) run.work = well();
    while (clock.nowMs < troubledMs + calmMs) await step();
    expect([done, set.views(1).map(({ name, state }) => `${name} ${state}`)]).toEqual([done, ['90p running', '72p running']]);
    for (const { store } of renditions) expect([done, store.segments.slice(-2).filter(({ gap }) => gap)]).toEqual([done, []]);

    leave();
    source.end();
    let isOver = false;
    void set.end().then(() => {
      isOver = true;
    });
    for (const until = clock.nowMs + bounds.drainMs; clock.nowMs < until && !isOver; ) await step();
    expect([isOver, running(), vi.getTimerCount()]).toEqual([true, [], 0]);
    for (const { texts } of watches) expect([done, findBrokenRules(texts)]).toEqual([done, []]);
  },
);
