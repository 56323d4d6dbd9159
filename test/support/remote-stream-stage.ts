import { expect, onTestFinished } from 'vitest';
import { PlayReports } from '../../src/service/health/play-reports.ts';
import { AnsweredStream } from '../../src/service/remote/remote-answers.ts';
import type { RemoteApi } from '../../src/service/remote/remote-api.ts';
import type { RemoteBroadcast } from '../../src/service/remote/remote-broadcast.ts';
import { RemoteError } from '../../src/service/remote/remote-error.ts';
import { RemoteStream } from '../../src/service/remote/remote-stream.ts';
import type { AirState, OneClickState } from '../../src/shared/model/live.ts';
import type { RemoteFailure } from '../../src/shared/model/remote-failure.ts';
import type { Sleep } from '../../src/shared/model/sleep.ts';
import { testSource } from '../../src/shared/model/source.ts';

const settings = { width: 1280, height: 720, fps: 30, videoBitrateBps: 3e6, keyframeSeconds: 1, audioBitrateBps: 160_000 };
const common = { source: testSource, encode: { kind: 'automatic' }, settings, since: 0 } as const;
export const starting: OneClickState = { kind: 'starting', ...common };
export const running: OneClickState = { kind: 'running', ...common, away: [], queueMs: 0, droppedFrames: 0, steadySince: 0 };
export const retrying: OneClickState = {
  kind: 'retrying',
  ...common,
  away: [],
  attempt: 1,
  retryAt: 0,
  failure: { code: 'closed', during: 'sending' },
};
export const stopping: OneClickState = { kind: 'stopping', ...common };
export const failed = (code: 'taken-over' | 'key-refused', at: number): OneClickState => ({
  kind: 'failed',
  source: testSource,
  at,
  failure: { code },
  stderr: [],
});

export const stored = { id: 'show', name: 'Show', createdAt: 1, playbackId: 'p', streamKey: 'k', profiles: [] };

/** A stream that one click sends, whose state and answers the test decides; its clock shows milliseconds. */
export function openStream() {
  let now = 0;
  let oneClick: OneClickState = { kind: 'idle' };
  let getStream = () => Promise.resolve(answer(true));
  let sleep: Sleep | undefined;
  let isOfService = false;
  let listSessions: () => Promise<unknown[]> = () => Promise.resolve([]);
  const clock = { now: () => now, monotonicMs: () => now };
  const playReports = new PlayReports({ clock, onChange: () => {} });
  const api = {
    clockAheadMs: 0,
    poll: (read: () => Promise<unknown>) => read(),
    getStream: () => getStream(),
    listSessions: () => listSessions(),
  } as unknown as RemoteApi;
  const stream = new RemoteStream({
    serviceId: 'team',
    id: 'show',
    clock,
    isRemoved: () => false,
    service: () => ({ name: 'Team', api }),
    oneClick: () => oneClick,
    sentMeters: () => ({ measuredAt: 1_000 }),
    sound: () => [],
    isSilenceMeant: () => false,
    lastChoice: () => undefined,
    playReports,
    findSleep: () => sleep,
    onAnswer: () => {},
    onChange: () => {},
  });
  // Otherwise a later test with a clock of its own would poll it for simulated hours.
  onTestFinished(() => stream.close());
  const answer = (isActive: boolean, lastSeen = 0, sourceSegments = 0) =>
    AnsweredStream.parse({ ...stored, isActive, lastSeen, sourceSegments });
  const readOnce = async () => {
    const stop = stream.need();
    await stream.nextRead();
    stop();
  };
  return {
    stream,
    /** One click's state at this time, and whether the service then calls the stream active. Returns whether it is on air and lost. */
    at(atMs: number, state: OneClickState, isActive: boolean, segments?: number) {
      const mayBeLoss = [oneClick.kind, state.kind].includes('retrying');
      now = atMs;
      oneClick = state;
      if (mayBeLoss) stream.followOneClick();
      stream.noteStream(answer(isActive, 0, segments));
      const { lost, stream: view } = stream.live(undefined, undefined) ?? {};
      expect(view?.lost?.sessionId).toBe(lost?.sessionId);
      return [view?.air.kind, lost && [lost.reason, lost.startedAt, lost.endedAt]];
    },
    /** A page reports at this time that its monitor has stalled for this long altogether. The code of the verdict. */
    stall(atMs: number, state: OneClickState, stalledSeconds: number) {
      now = atMs;
      oneClick = state;
      stream.noteStream(answer(true, atMs));
      const sums = { stalls: 1, droppedFrames: 0, decodedFrames: atMs };
      playReports.add('team~show', 'page', { state: 'playing', stalledSeconds, ...sums });
      return stream.live('page', undefined)?.verdict?.code;
    },
    /** At this time the service is polled, and answers that the stream is active, with or without new media, or fails. */
    async poll(atMs: number, how: 'moves' | 'stands' | 'fails') {
      now = atMs;
      const lastSeen = how === 'moves' ? atMs : 0;
      getStream = () =>
        how !== 'fails' ? Promise.resolve(answer(true, lastSeen)) : Promise.reject(new RemoteError({ code: 'closed' }));
      await readOnce();
    },
    /** The service is polled, and answers its list of sessions like this. Returns the stream as shown then. */
    async list(answered: () => Promise<unknown[]>) {
      listSessions = answered;
      await readOnce();
      return stream.live(undefined, undefined);
    },
    /** At this time one click does this, and the service, if it is asked, answers that the stream is active or isn't, or fails. */
    async follow(atMs: number, state: OneClickState, answered: boolean | RemoteFailure) {
      now = atMs;
      oneClick = state;
      getStream = () =>
        typeof answered === 'boolean' ? Promise.resolve(answer(answered)) : Promise.reject(new RemoteError(answered));
      stream.followOneClick();
      // A poll under way was sent earlier, so wait for one more.
      for (let read = 0; read < 2 && stream.isPolled; read += 1) {
        stream.readSoon();
        await stream.nextRead();
      }
    },
    /** At this time one click does this. Returns since when its media are lost, as shown then. */
    loseAt(atMs: number, state: OneClickState) {
      now = atMs;
      oneClick = state;
      stream.followOneClick();
      const { air } = stream.live(undefined, undefined)?.stream ?? {};
      return air?.kind === 'reconnecting' ? air.lostAt : air?.kind;
    },
    /** The computer has slept, and this is reported from now on. */
    wake(slept: Sleep) {
      sleep = slept;
    },
    /**
     * One click sends to a region that its service may not speak for; `see` gives the broadcast there as seen from here. Returns what of it
     * has been closed.
     */
    begin(see: () => AirState | undefined) {
      const closed: string[] = [];
      const broadcast = {
        see: () => {
          const air = see();
          return air && { region: 'jfk', air };
        },
        get isPlaying() {
          return see()?.kind === 'on-air';
        },
        follow: () => {},
        noteActive: () => {
          isOfService = true;
        },
        close: () => closed.push('broadcast'),
        route: {
          region: { code: 'jfk', ingest: 'rtmp://jfk/live', playback: 'https://jfk/hls' },
          offer: undefined,
          close: () => closed.push('route'),
        },
      };
      stream.begin(broadcast as unknown as RemoteBroadcast);
      return closed;
    },
    /** Whether the broadcast that was begun is left to its service to judge. */
    isOfService: () => isOfService,
    lines: () => (stream.live(undefined, undefined)?.log ?? []).map(({ at, event }) => [at, event]),
  };
}
