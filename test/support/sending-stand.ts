import { expect, onTestFinished } from 'vitest';
import type { SoundTrouble } from '../../src/service/health/sound-judge.ts';
import { createEventSource } from '../../src/service/lib/event-source.ts';
import { createSystemClock } from '../../src/service/lib/system-clock.ts';
import type { StreamChange } from '../../src/service/streams/stream-change.ts';
import type { OneClickState } from '../../src/shared/model/live.ts';
import { testSource } from '../../src/shared/model/source.ts';
import { isSentFromHere } from '../../src/shared/sent-from-here.ts';
import { answerShow, openStreamsFor, remoteShow, showRef } from './remote-stand.ts';
import { soon } from './soon.ts';

const settings = { width: 1280, height: 720, fps: 30, videoBitrateBps: 3e6, keyframeSeconds: 1, audioBitrateBps: 160_000 };
const common = { source: testSource, encode: { kind: 'automatic' }, settings, since: 0 } as const;
/** One click's state. */
export const starting: OneClickState = { kind: 'starting', ...common };
export const running: OneClickState = { kind: 'running', ...common, away: [], queueMs: 0, droppedFrames: 0, steadySince: 0 };
const lost = { code: 'closed', during: 'sending' } as const;
export const retrying: OneClickState = { kind: 'retrying', ...common, away: [], attempt: 1, retryAt: 0, failure: lost };
export const failed = (): OneClickState => ({
  kind: 'failed',
  source: testSource,
  at: Date.now(),
  failure: { code: 'frozen', forMs: 5000 },
  stderr: [],
});

/** A meter that nothing is sent to. */
const stillMeter = { push: () => {}, forgetLoudness: () => {}, read: () => undefined, close: async () => {} };

/**
 * The stream of a service elsewhere to which one click sends, as the test decides.
 *
 * @param timeoutMs how long a request waits for the service's answer
 */
export async function openSending({ timeoutMs }: { timeoutMs?: number } = {}) {
  let isActive = true;
  let sourceSegments = 0;
  let aheadMs = 0;
  let isHeard = true;
  const system = createSystemClock();
  let status: number | 'never' | undefined;
  let answered = /./;
  let heard: { heardMs: number; troubles: SoundTrouble[] } = { heardMs: 0, troubles: [] };
  const changes = createEventSource<StreamChange>();
  let state: OneClickState = { kind: 'idle' };
  const set = (next: OneClickState) => {
    state = next;
    changes.emit({ kind: 'changed', streamId: showRef });
  };
  const end = async () => set({ kind: 'idle' });
  const { streams, service, services } = await openStreamsFor(
    (asked, response) => {
      if (status !== undefined && answered.test(asked.path)) return status === 'never' ? undefined : { status };
      return answerShow(undefined, { ...remoteShow, isActive, sourceSegments })(asked, response);
    },
    {
      changes,
      ...(timeoutMs !== undefined && { timeoutMs }),
      clock: { ...system, monotonicMs: () => system.monotonicMs() + aheadMs },
      oneClicks: {
        state: () => state,
        isSent: () => isSentFromHere(state),
        stop: () => end().then(() => isHeard),
        forget: end,
        reconnectNow: () => {},
        soundMeter: () => ({ ...stillMeter, heardMs: heard.heardMs, judge: () => heard.troubles }),
        sentMeters: () => undefined,
        onHeard: () => () => {},
      },
    },
  );
  // Before the streams are closed.
  onTestFinished(end);
  return {
    streams,
    set,
    service,
    services,
    /** Goes on air, without a page that watches it. */
    async goOnAir() {
      set(starting);
      await streams.prepareGoLive('show', new AbortController().signal);
      set(running);
      await soon(() => expect(streams.findOnAir('show')).toMatchObject({ air: { kind: 'on-air' } }));
    },
    /** After this time the service has counted another segment, and its answer is heard. */
    async countSegment(afterMs: number) {
      aheadMs += afterMs;
      sourceSegments += 1;
      await streams.update('show', {});
    },
    /** What one click sends has had this much sound, in milliseconds, and these faults. */
    hear(heardMs: number, ...troubles: SoundTrouble[]) {
      heard = { heardMs, troubles };
    },
    /** The ingest doesn't get the goodbye. */
    becomeDeaf: () => {
      isHeard = false;
    },
    setActive: (value: boolean) => {
      isActive = value;
    },
    /** From now on, every answer to such a path has this status, or never comes; undefined: normal answers. */
    answerWith: (value: typeof status, path = /./) => {
      status = value;
      answered = path;
    },
  };
}
