import { expect, test } from 'vitest';
import { frozen, healthy, lostFor, now, onAir, oneClickRunning } from '../../../test/support/health-facts.ts';
import { loopedFile } from '../../../test/support/looped-file.ts';
import type { AwayPart } from '../../shared/model/capture.ts';
import { encodePresets } from '../../shared/model/encode-settings.ts';
import type { AirState, OneClickState, RenditionView } from '../../shared/model/live.ts';
import { type Profile, recommendedProfiles } from '../../shared/model/profile.ts';
import { type SoundInput, testSource } from '../../shared/model/source.ts';
import type { Verdict } from '../../shared/model/verdict.ts';
import type { HealthFacts } from './health-facts.ts';
import { reportStages } from './stages.ts';
import { drawVerdict, findTroubles } from './verdict.ts';
import { lastedMs } from './verdict-lasted.ts';

test('two encoders that replace each other are the first verdict', () => {
  const slept = { kind: 'slept', from: now - 40_000, to: now - 10_000 } as const;
  expect(drawVerdict({ ...healthy, slept, takeTurns: true })).toMatchObject({ code: 'encoders-take-turns', severity: 'bad' });
});

test('two encoders that keep replacing each other are reported before either is on air', () => {
  const air: AirState = { kind: 'connecting', since: now - 12_000, awaiting: 'keyframe' };
  const facts = { ...healthy, air, meters: undefined, takeTurns: true };
  expect(drawVerdict(facts)).toEqual({ code: 'encoders-take-turns', severity: 'bad' });
  expect(findTroubles({ ...facts, takeTurns: false })).toEqual([]);
});

test('sleep on air is reported for a while, sleep before it is not', () => {
  const slept = { kind: 'slept', from: now - 40_000, to: now - 10_000 } as const;
  expect(drawVerdict({ ...healthy, slept })).toEqual({ code: 'slept', severity: 'warn', sleep: slept });
  const air: AirState = { kind: 'on-air', since: now - 5_000, sessionId: 'a' };
  expect(drawVerdict({ ...healthy, air, slept })?.code).toBe('good');
});

test("a region whose playlist can't be read is a warning, though nobody knows whether it is on air", () => {
  const air: AirState = { kind: 'connecting', since: now - 15_000 };
  const judge = (change: Partial<HealthFacts>) =>
    drawVerdict({ ...healthy, air, region: 'jfk', oneClick: oneClickRunning, ...change });
  expect(judge({})).toBeUndefined();
  const unseen = { code: 'region-unseen', severity: 'warn', region: 'jfk' };
  const awaited: AirState = { ...air, awaiting: 'playlist' };
  expect(judge({ air: awaited })).toEqual(unseen);
  const seenBefore: AirState = { ...onAir, unseenSince: now - 12_000 };
  expect(judge({ air: seenBefore })).toEqual(unseen);
  expect(lastedMs(judge({ air: seenBefore }) as Verdict, { now, air: seenBefore })).toBe(12_000);
});

test('while it is unknown whether it is on air, and while a region has stopped, bad troubles here come first', () => {
  const own = { code: 'upload-slow', severity: 'bad', queueMs: 800, droppedFrames: 0 };
  const judge = (air: AirState, queueMs: number) =>
    drawVerdict({ ...healthy, air, region: 'jfk', oneClick: { ...oneClickRunning, queueMs } });
  const connecting: AirState = { kind: 'connecting', since: now - 15_000 };
  const airs: AirState[] = [
    connecting,
    { ...connecting, awaiting: 'playlist' },
    { ...onAir, unseenSince: now - 12_000 },
    { ...onAir, silentSince: now - 12_000 },
  ];
  expect(airs.map((air) => judge(air, 800))).toEqual(airs.map(() => own));
  expect(airs.map((air) => judge(air, 300)?.code)).toEqual([undefined, 'region-unseen', 'region-unseen', 'region-stopped']);
  expect(findTroubles({ ...healthy, air: connecting, oneClick: { ...oneClickRunning, queueMs: 800 } })).toEqual([own]);
});

test('a broadcast that never had a picture is of sound only, which its renditions do not wait for', () => {
  const rendition: RenditionView = { asked: recommendedProfiles[0] as Profile, state: 'waiting' };
  const radio = { ...healthy, meters: { measuredAt: now, audioCodec: 'mp4a.40.2' }, renditions: [rendition] };
  expect(drawVerdict(radio)).toEqual({ code: 'sound-only', severity: 'good' });
  expect(reportStages(radio)[1]).toEqual({ stage: 'transcode', code: 'without-video', severity: 'good' });
  const starting: HealthFacts = { ...radio, air: { ...onAir, since: now - 3_999 } };
  expect(drawVerdict(starting)).toEqual({ code: 'good', severity: 'good' });
});

test('missing frames are one trouble, however often frames got lost', () => {
  const droppedFrames = { count: 72, ratio: 0.04, isRepeated: true } as const;
  expect(findTroubles({ ...healthy, meters: { measuredAt: now, fps: 28, droppedFrames } })).toEqual([
    { code: 'frames-missing', severity: 'warn', fps: 28, nominalFps: 30, from: 'encoder', lostRatio: 0.04 },
  ]);
});

test('an upload where media waits is one trouble, whatever it has dropped', () => {
  expect(findTroubles({ ...healthy, oneClick: { ...oneClickRunning, queueMs: 200, droppedFrames: 300 } })).toEqual([
    { code: 'upload-tight', severity: 'warn', queueMs: 200, droppedFrames: 300 },
  ]);
});

test('off air, and while its encoder is awaited, a broadcast has no other troubles', () => {
  const facts = { ...healthy, oneClick: { ...oneClickRunning, queueMs: 800 } };
  const airs: AirState[] = [{ kind: 'off-air' }, { ...lostFor, until: now + 55_000 }];
  expect(airs.map((air) => findTroubles({ ...facts, air }))).toEqual([[], []]);
});

test('a slow encode only suggests remedies that are possible', () => {
  const slow = (name: '720p30' | '1080p30', renditions: RenditionView[]) =>
    drawVerdict({
      ...healthy,
      oneClick: { ...oneClickRunning, encodeSpeed: 0.8, settings: encodePresets[name] },
      renditions,
    });
  const rendition: RenditionView = { asked: recommendedProfiles[0] as Profile, state: 'running' };
  expect([slow('720p30', []), slow('1080p30', [rendition])]).toEqual([
    { code: 'encode-slow', severity: 'bad', speed: 0.8, canShrink: false },
    { code: 'encode-slow', severity: 'bad', speed: 0.8, canShrink: true, remedy: 'fewer-renditions' },
  ]);
});

test('an encoder that misses frames is slow, though the others are in time', () => {
  const halved = { ...healthy, oneClick: { ...oneClickRunning, encodeFps: 15, encodeSpeed: 1 } };
  expect(drawVerdict(halved)).toEqual({ code: 'encode-slow', severity: 'bad', speed: 0.5, canShrink: false });
  expect(reportStages(halved)[1]).toEqual({ stage: 'encode', code: 'encoding', severity: 'bad', fps: 15, speed: 0.5 });
  const fewer = { ...oneClickRunning, encodeFps: 27, encodeSpeed: 1 };
  expect(drawVerdict({ ...healthy, oneClick: fewer })).toEqual({
    code: 'encode-slow',
    severity: 'warn',
    speed: 0.9,
    canShrink: false,
  });
  const starting = { ...oneClickRunning, encodeFps: 15, encodeSpeed: undefined };
  expect(drawVerdict({ ...healthy, oneClick: starting })).toEqual({ code: 'good', severity: 'good' });
});

test("a bitrate far below what is usual for the picture's size, or chosen, is a warning until a raise above that has lasted", () => {
  const of = (videoBitrateBps: number | undefined, provenBitrateBps?: number, settings = encodePresets['720p30']) =>
    drawVerdict({ ...healthy, oneClick: { ...oneClickRunning, settings, videoBitrateBps, provenBitrateBps } });
  const coarse = (bitrateBps: number, chosenBps = 3_000_000) => ({
    code: 'picture-coarse',
    severity: 'warn',
    bitrateBps,
    chosenBps,
  });
  const good = { code: 'good', severity: 'good' };
  expect([of(375_000), of(1_490_000), of(1_500_000), of(undefined)]).toEqual([coarse(375_000), coarse(1_490_000), good, good]);
  // Whatever the raise leads to, the verdict stays.
  expect([of(1_780_000, 1_480_000), of(1_480_000), of(2_080_000, 1_780_000)]).toEqual([
    coarse(1_780_000),
    coarse(1_480_000),
    good,
  ]);
  const chosen = (videoBitrateBps: number) => ({ ...encodePresets['720p30'], videoBitrateBps });
  expect([of(1_500_000, undefined, chosen(12_000_000)), of(450_000, undefined, chosen(900_000))]).toEqual([good, good]);
  expect(of(440_000, undefined, chosen(900_000))).toEqual(coarse(440_000, 900_000));
});

test('a coarse picture, which may last, hides no other trouble that viewers notice', () => {
  const oneClick: OneClickState = { ...oneClickRunning, videoBitrateBps: 375_000 };
  const judge = (change: Partial<HealthFacts>) => drawVerdict({ ...healthy, oneClick, ...change })?.code;
  expect([
    judge({ oneClick: { ...oneClick, queueMs: 200 } }),
    judge({ oneClick: { ...oneClick, droppedFrames: 30 } }),
    judge({ sound: [{ code: 'silent', severity: 'warn' }] }),
    judge({ sound: [{ code: 'loudness-off', severity: 'warn', loudnessLufs: -30, targetLufs: -16 }] }),
  ]).toEqual(['upload-tight', 'upload-dropped', 'silent', 'picture-coarse']);
});

test('frames that keep getting lost, while all arrive, come before what they cause', () => {
  const droppedFrames = { count: 72, ratio: 0.04, isRepeated: true } as const;
  const lossy = (keyframeIntervalSeconds: number) =>
    drawVerdict({ ...healthy, meters: { measuredAt: now, fps: 30, droppedFrames, keyframeIntervalSeconds } });
  expect([lossy(1), lossy(10)].map((verdict) => verdict && `${verdict.code}, ${verdict.severity}`)).toEqual([
    'frames-missing, warn',
    'frames-missing, warn',
  ]);
});

const rareProfile = { ...healthy.meters, measuredAt: now, hasRareProfile: true } as const;

test.each<[string, Partial<HealthFacts>, Verdict | undefined]>([
  ['a lost encoder', { air: { ...lostFor, until: now + 55_000 } }, { code: 'encoder-gone', severity: 'bad', isOwn: false }],
  [
    'an encoder with the old key',
    { air: { ...lostFor, until: now + 55_000, isKeyRenewed: true } },
    { code: 'encoder-gone', severity: 'bad', isOwn: false, isKeyRenewed: true },
  ],
  [
    'our own encoder, lost and restarting',
    { air: { ...lostFor, until: now + 55_000 }, oneClick: { ...oneClickRunning, kind: 'starting' } },
    { code: 'encoder-gone', severity: 'bad', isOwn: true },
  ],
  [
    'a broadcast that is stopped while it is lost',
    { air: lostFor, oneClick: { ...oneClickRunning, kind: 'stopping' } },
    undefined,
  ],
  [
    'our own encoder, which never left, whose media another region takes now',
    { air: { ...lostFor, back: 'sending' }, oneClick: oneClickRunning, region: 'jfk' },
    { code: 'encoder-back', severity: 'warn', isOwn: true },
  ],
  [
    'our own encoder, whose media the ingest of this computer takes now',
    { air: { ...lostFor, back: 'sending' }, oneClick: oneClickRunning },
    { code: 'encoder-back', severity: 'warn', isOwn: true },
  ],
  ['an encoder that is back', { air: { ...lostFor, back: 'sending' } }, { code: 'encoder-back', severity: 'warn' }],
  [
    'an encoder that is back but sends nothing',
    { air: { ...lostFor, back: 'connected' }, lastMediaAt: now - 500 },
    { code: 'nothing-arrives', severity: 'bad', isBack: true, isOwn: false },
  ],
  [
    'silence',
    { air: { ...onAir, silentSince: now - 3_001 } },
    { code: 'nothing-arrives', severity: 'bad', isBack: false, isOwn: false },
  ],
  [
    'an encoder that is back but sends nothing that plays',
    { air: { ...lostFor, back: 'sending', unplayable: 'no-keyframe' } },
    { code: 'nothing-plays', severity: 'bad', why: 'no-keyframe', isBack: true },
  ],
  [
    'media that does not play',
    { air: { ...onAir, silentSince: now - 9_000, unplayable: 'unusable' } },
    { code: 'nothing-plays', severity: 'bad', why: 'unusable', isBack: false },
  ],
  [
    'silence of our own encoder',
    { air: { ...onAir, silentSince: now - 3_001 }, oneClick: oneClickRunning },
    { code: 'nothing-arrives', severity: 'bad', isBack: false, isOwn: true },
  ],
  [
    'silence of a region that takes our media',
    { air: { ...onAir, silentSince: now - 10_000 }, oneClick: oneClickRunning, region: 'jfk' },
    { code: 'region-stopped', severity: 'bad', region: 'jfk' },
  ],
  ['silence that the air state does not show yet', { lastMediaAt: now - 3_001 }, { code: 'good', severity: 'good' }],
  [
    'a slow encode',
    { oneClick: { ...oneClickRunning, encodeSpeed: 0.8 } },
    { code: 'encode-slow', severity: 'bad', speed: 0.8, canShrink: false },
  ],
  [
    'a tight upload',
    { oneClick: { ...oneClickRunning, queueMs: 200 } },
    { code: 'upload-tight', severity: 'warn', queueMs: 200, droppedFrames: 0 },
  ],
  [
    'a failing upload',
    { oneClick: { ...oneClickRunning, queueMs: 700, droppedFrames: 4 } },
    { code: 'upload-slow', severity: 'bad', queueMs: 700, droppedFrames: 4 },
  ],
  [
    'a failing upload whose bitrate is as low as it gets',
    { oneClick: { ...oneClickRunning, queueMs: 700, isLowestBitrate: true } },
    { code: 'upload-slow', severity: 'bad', queueMs: 700, droppedFrames: 0, isLowest: true },
  ],
  [
    'a tight upload whose bitrate could not be changed',
    { oneClick: { ...oneClickRunning, queueMs: 300, isBitrateKept: true } },
    { code: 'upload-tight', severity: 'warn', queueMs: 300, droppedFrames: 0, isKept: true },
  ],
  [
    'an upload that has dropped more than 1 % of the last minute, though nothing waits by now',
    { oneClick: { ...oneClickRunning, droppedFrames: 19 } },
    { code: 'upload-dropped', severity: 'warn', droppedFrames: 19 },
  ],
  [
    'an upload that has dropped much, and where media waits still',
    { oneClick: { ...oneClickRunning, queueMs: 200, droppedFrames: 300 } },
    { code: 'upload-tight', severity: 'warn', queueMs: 200, droppedFrames: 300 },
  ],
  [
    'frames that are missing since the upload has dropped them',
    { oneClick: { ...oneClickRunning, droppedFrames: 60 }, meters: { measuredAt: now, fps: 18 } },
    { code: 'upload-dropped', severity: 'warn', droppedFrames: 60 },
  ],
  ['a few dropped frames', { oneClick: { ...oneClickRunning, droppedFrames: 18 } }, { code: 'good', severity: 'good' }],
  ['no sound', { meters: { measuredAt: now, fps: 30, away: 'sound' } }, { code: 'no-sound', severity: 'bad' }],
  [
    'an encoder of ours that makes no picture',
    { meters: { measuredAt: now, fps: 0, away: 'picture' }, oneClick: oneClickRunning },
    { code: 'no-picture', severity: 'bad', isOwn: true },
  ],
  [
    'an encoder of ours that makes no sound',
    { meters: { measuredAt: now, fps: 30, away: 'sound' }, oneClick: oneClickRunning },
    { code: 'no-sound', severity: 'bad', isOwn: true },
  ],
  [
    'frames of which none can be shown',
    { meters: { measuredAt: now, fps: 30, away: 'picture', isWithoutKeyframe: true } },
    { code: 'no-picture', severity: 'bad', isWithoutKeyframe: true },
  ],
  ['no picture', { meters: { measuredAt: now, fps: 0, away: 'picture' } }, { code: 'no-picture', severity: 'bad' }],
  [
    'a few missing frames',
    { meters: { measuredAt: now, fps: 28 } },
    { code: 'frames-missing', severity: 'warn', fps: 28, nominalFps: 30, from: 'encoder' },
  ],
  [
    'many missing frames from one click',
    { meters: { measuredAt: now, fps: 23 }, oneClick: oneClickRunning },
    { code: 'frames-missing', severity: 'bad', fps: 23, nominalFps: 30, from: 'one-click' },
  ],
  [
    'no missing frames, but slow ones',
    { meters: { measuredAt: now, fps: 20.8 }, pace: 0.694 },
    { code: 'arrives-slowly', severity: 'bad', pace: 0.694, from: 'encoder' },
  ],
  [
    'a slow encoder that announces no frame rate',
    { meters: { measuredAt: now, fps: 26.4 }, nominalFps: undefined, pace: 0.88 },
    { code: 'arrives-slowly', severity: 'warn', pace: 0.88, from: 'encoder' },
  ],
  [
    'an encoder a little faster than real time',
    { meters: { measuredAt: now, fps: 34.5 }, pace: 1.15 },
    { code: 'arrives-fast', severity: 'warn', pace: 1.15 },
  ],
  [
    'a file that is pushed as fast as the connection takes it',
    { meters: { measuredAt: now, fps: 1_200 }, pace: 40 },
    { code: 'arrives-fast', severity: 'bad', pace: 40 },
  ],
  [
    'slightly slow arrival and slightly few frames',
    { meters: { measuredAt: now, fps: 27.9 }, pace: 0.96 },
    { code: 'good', severity: 'good' },
  ],
  [
    'pauses a while ago, and a monitor that freezes by itself',
    { pauses: { count: 3, seconds: 5 }, playback: [frozen] },
    { code: 'play-stalls', severity: 'bad', monitor: 'any-page', stall: { kind: 'frozen' }, forEveryone: 'lower-bitrate' },
  ],
  [
    'audio without video that arrives slowly',
    { meters: { measuredAt: now }, nominalFps: undefined, pace: 0.7 },
    { code: 'arrives-slowly', severity: 'bad', pace: 0.7, from: 'encoder' },
  ],
  [
    'slow arrival because of the upload',
    { pace: 0.7, pauses: { count: 5, seconds: 12 }, oneClick: { ...oneClickRunning, queueMs: 300 } },
    { code: 'upload-tight', severity: 'warn', queueMs: 300, droppedFrames: 0 },
  ],
  [
    'missing frames of a slow encoder',
    { meters: { measuredAt: now, fps: 24 }, pace: 0.9 },
    { code: 'frames-missing', severity: 'warn', fps: 24, nominalFps: 30, from: 'encoder' },
  ],
  ['a single pause', { pauses: { count: 1, seconds: 2.5 } }, { code: 'good', severity: 'good' }],
  [
    'media that pauses again',
    { pauses: { count: 2, seconds: 3.2 } },
    { code: 'arrives-with-pauses', severity: 'warn', count: 2, seconds: 3.2, from: 'encoder' },
  ],
  [
    'media from one click that pauses most of the time',
    { pauses: { count: 5, seconds: 15 }, oneClick: oneClickRunning },
    { code: 'arrives-with-pauses', severity: 'bad', count: 5, seconds: 15, from: 'one-click' },
  ],
  [
    'pauses that viewers see little of, since they have a second in hand',
    { pauses: { count: 8, seconds: 12 } },
    { code: 'arrives-with-pauses', severity: 'warn', count: 8, seconds: 12, from: 'encoder' },
  ],
  [
    'an encoder that is lost again and again, for a sixth of the minute beyond what viewers have in hand',
    { pauses: { count: 2, seconds: 12, areLosses: true } },
    { code: 'arrives-with-pauses', severity: 'bad', count: 2, seconds: 12, from: 'encoder', areLosses: true },
  ],
  [
    'keyframes at the limit, at 29.97 fps',
    { meters: { measuredAt: now, keyframeIntervalSeconds: 4.004 } },
    { code: 'good', severity: 'good' },
  ],
  [
    'keyframes far apart',
    { meters: { measuredAt: now, keyframeIntervalSeconds: 8.3 } },
    { code: 'keyframes-far', severity: 'warn', intervalSeconds: 8.3 },
  ],
  [
    'keyframes far apart, and a rendition less',
    {
      meters: { measuredAt: now, keyframeIntervalSeconds: 8.3 },
      renditions: [{ asked: recommendedProfiles[0] as Profile, state: 'shed' }],
    },
    { code: 'keyframes-far', severity: 'warn', intervalSeconds: 8.3 },
  ],
  ['a profile that few players decode, without renditions', { meters: rareProfile }, { code: 'profile-rare', severity: 'bad' }],
  [
    'a profile that few players decode, with renditions',
    {
      meters: rareProfile,
      renditions: [
        { asked: recommendedProfiles[0] as Profile, state: 'left-out' },
        { asked: recommendedProfiles[1] as Profile, state: 'running' },
      ],
    },
    { code: 'profile-rare', severity: 'warn' },
  ],
  [
    'a profile that few players decode, and a rendition less for the others',
    {
      meters: rareProfile,
      renditions: [
        { asked: { ...(recommendedProfiles[0] as Profile), name: '720p' }, state: 'shed' },
        { asked: recommendedProfiles[1] as Profile, state: 'running' },
      ],
    },
    { code: 'renditions-shed', severity: 'warn', names: ['720p'], remedy: 'fewer-renditions' },
  ],
  [
    'a profile that few players decode, on a monitor that fails for that reason',
    {
      meters: rareProfile,
      playback: [{ ...frozen, report: { ...frozen.report, state: 'failed' } }],
    },
    { code: 'profile-rare', severity: 'bad' },
  ],
  [
    'a profile that few players decode, while its renditions are left out',
    {
      meters: rareProfile,
      renditions: [{ asked: recommendedProfiles[0] as Profile, state: 'left-out' }],
    },
    { code: 'profile-rare', severity: 'bad' },
  ],
  [
    'renditions whose ffmpeg keeps failing',
    { renditions: [{ asked: recommendedProfiles[0] as Profile, state: 'resting' }] },
    { code: 'no-renditions', severity: 'warn', isResting: true },
  ],
  [
    'renditions whose ffmpeg keeps failing, after one was paused',
    {
      renditions: [
        { asked: recommendedProfiles[0] as Profile, state: 'shed' },
        { asked: recommendedProfiles[1] as Profile, state: 'resting' },
      ],
    },
    { code: 'no-renditions', severity: 'warn', isResting: true },
  ],
  [
    'renditions that nothing can encode',
    { renditions: [{ asked: recommendedProfiles[0] as Profile, state: 'given-up' }] },
    { code: 'no-renditions', severity: 'warn' },
  ],
  [
    'keyframes that have stopped',
    { meters: { measuredAt: now, keyframeIntervalSeconds: 20.1, isKeyframeOverdue: true } },
    { code: 'keyframes-far', severity: 'bad', intervalSeconds: 20.1, isOverdue: true },
  ],
])('the verdict on %s', (_what, change, verdict) => {
  expect(drawVerdict({ ...healthy, ...change })).toEqual(verdict);
});

test('an ingest that is tried again says whether viewers have seen anything of the broadcast', () => {
  const { queueMs: _, ...sent } = oneClickRunning;
  const oneClick: OneClickState = { ...sent, kind: 'retrying', attempt: 1, retryAt: now, failure: { code: 'internal' } };
  const airs: AirState[] = [
    { kind: 'off-air' },
    { kind: 'connecting', since: now - 5_000 },
    onAir,
    { ...lostFor, until: now + 55_000 },
  ];
  expect(airs.map((air) => drawVerdict({ ...healthy, air, oneClick }))).toEqual(
    [false, false, true, true].map((hasBeenLive) => ({ code: 'ingest-retry', severity: 'bad', hasBeenLive })),
  );
});

test('a part of our own source that is away is named, the picture before the sound', () => {
  const gone = { code: 'gone' } as const;
  const microphone = { part: 'sound', input: 0, kind: 'microphone', name: 'Mic', fault: gone } as const;
  const screen = { part: 'picture', kind: 'screen', name: 'Screen', fault: gone } as const;
  const ended = { ...screen, kind: 'files', fault: { code: 'ended' } } as const;
  const verdictOn = (away: AwayPart[]) => drawVerdict({ ...healthy, oneClick: { ...oneClickRunning, away } });
  const cut = { ...ended, fault: { code: 'cut-short' } } as const;
  const endedEarly = { ...ended, fault: { code: 'ended-early' } } as const;
  expect([
    ...[verdictOn([]), verdictOn([microphone]), verdictOn([microphone, screen]), verdictOn([ended])],
    ...[verdictOn([cut]), verdictOn([cut, microphone]), verdictOn([endedEarly])],
  ]).toEqual([
    { code: 'good', severity: 'good' },
    { code: 'source-away', severity: 'warn', away: microphone },
    { code: 'source-away', severity: 'bad', away: screen },
    { code: 'source-away', severity: 'warn', away: ended },
    { code: 'source-away', severity: 'warn', away: cut },
    { code: 'source-away', severity: 'warn', away: microphone },
    { code: 'source-away', severity: 'bad', away: endedEarly },
  ]);
});

test('a sound or an inset that has ended as planned hides no trouble', () => {
  const music: SoundInput = { of: { kind: 'files', paths: ['/a.ogg'], loops: false }, levelDb: 0, isMuted: false };
  const mic: SoundInput = { of: { kind: 'microphone', device: { id: 'm', name: 'Mic' } }, levelDb: 0, isMuted: false };
  const ended = { part: 'sound', kind: 'files', name: '/a.ogg', fault: { code: 'ended' } } as const;
  const endedAt = (input: number): AwayPart => ({ ...ended, input });
  const factsOf = (inputs: SoundInput[], away: AwayPart[], change: Partial<HealthFacts> = {}): HealthFacts => {
    const source = { ...testSource, sound: { inputs, limits: false } };
    return { ...healthy, oneClick: { ...oneClickRunning, source, away }, ...change };
  };
  const silent: Partial<HealthFacts> = { sound: [{ code: 'silent', severity: 'warn' }] };
  const loud: Partial<HealthFacts> = {
    sound: [{ code: 'loudness-off', severity: 'warn', loudnessLufs: -8, targetLufs: -16 }],
  };
  const shed: Partial<HealthFacts> = { renditions: [{ asked: recommendedProfiles[0] as Profile, state: 'shed' }] };
  const told = (facts: HealthFacts) => [drawVerdict(facts)?.code, reportStages(facts)[0]];
  const partAway = { stage: 'capture', code: 'part-away', severity: 'warn', part: 'sound' };
  const capturing = { stage: 'capture', code: 'capturing', severity: 'good' };
  const hears = (trouble: string) => ({ ...capturing, code: 'capturing-sound', severity: 'warn', trouble });
  expect(told(factsOf([mic, music], [endedAt(1)]))).toEqual(['source-away', partAway]);
  expect(told(factsOf([mic, music], [endedAt(1)], silent))).toEqual(['silent', hears('silent')]);
  expect(told(factsOf([mic, music], [endedAt(1)], loud))).toEqual(['loudness-off', hears('loudness-off')]);
  expect(told(factsOf([mic, music], [endedAt(1)], shed))).toEqual(['renditions-shed', partAway]);
  // No other sound is left.
  const without = [
    factsOf([music], [endedAt(0)], silent),
    factsOf([music, { ...mic, isMuted: true }], [endedAt(0)], silent),
    factsOf([music, music], [endedAt(0), endedAt(1)], silent),
  ];
  expect(without.map(told)).toEqual(without.map(() => ['source-away', partAway]));
  const logo: AwayPart = { ...ended, part: 'inset', name: '/b.mp4' };
  expect(told(factsOf([mic], [logo], silent))).toEqual(['silent', hears('silent')]);
  // Any other part that is away is named first.
  const inset: AwayPart = { part: 'inset', kind: 'camera', name: 'Cam', fault: { code: 'gone' } };
  expect(findTroubles(factsOf([mic, music], [inset, endedAt(1)], silent))).toEqual([
    { code: 'source-away', severity: 'warn', away: inset },
    { code: 'silent', severity: 'warn', stage: 'capture', mayBeWithheld: false },
    { code: 'source-away', severity: 'warn', away: endedAt(1) },
  ]);
});

test('a source that makes fewer frames than announced hides nothing that is wrong, nor is it red', () => {
  const slower: HealthFacts = { ...healthy, meters: { measuredAt: now, fps: 15, isSlower: true } };
  const fewer = { code: 'frames-missing', severity: 'warn', fps: 15, nominalFps: 30, from: 'encoder', isSlower: true };
  expect(drawVerdict(slower)).toEqual(fewer);
  expect(reportStages(slower)[0]).toEqual({
    stage: 'ingest',
    code: 'receiving-badly',
    severity: 'warn',
    trouble: 'frames-missing',
  });
  const silent = { code: 'silent', severity: 'warn', stage: 'encoder', mayBeWithheld: false };
  expect(findTroubles({ ...slower, sound: [{ code: 'silent', severity: 'warn' }] })).toEqual([silent, fewer]);
  const late = { ...slower, meters: { ...slower.meters, measuredAt: now, keyframeIntervalSeconds: 8 } };
  expect(reportStages(late)[0]).toMatchObject({ trouble: 'keyframes-far' });
});

test('the worst trouble is shown, even if another is closer to the camera', () => {
  const tight = { ...healthy, oneClick: { ...oneClickRunning, queueMs: 200 } };
  const verdicts = [tight, { ...tight, meters: { measuredAt: now, away: 'sound' as const } }].map(drawVerdict);
  expect(verdicts.map((verdict) => verdict?.code)).toEqual(['upload-tight', 'no-sound']);
});

test('a failed one-click broadcast gives the reason', () => {
  const failed: OneClickState = {
    kind: 'failed',
    source: loopedFile('/a'),
    at: now,
    failure: { code: 'no-video-track' },
    stderr: [],
  };
  expect(drawVerdict({ ...healthy, air: { kind: 'off-air' }, oneClick: failed })).toEqual({
    code: 'go-live-failed',
    severity: 'bad',
    failure: { code: 'no-video-track' },
  });
  expect(reportStages({ ...healthy, air: { kind: 'off-air' }, oneClick: failed })).toEqual([
    { stage: 'encode', code: 'encode-failed', severity: 'bad' },
  ]);
});

test('an earlier one-click failure does not affect a broadcast from another program', () => {
  const failed: OneClickState = {
    kind: 'failed',
    source: testSource,
    at: 1,
    failure: { code: 'file-gone' },
    stderr: [],
  };
  const onAir = { ...healthy, oneClick: failed };
  expect([drawVerdict(onAir), reportStages(onAir)]).toEqual([drawVerdict(healthy), reportStages(healthy)]);
});

test('if fewer renditions would help, the verdict offers that remedy', () => {
  const [first, second] = recommendedProfiles as [Profile, Profile];
  const slow = { oneClick: { ...oneClickRunning, encodeSpeed: 0.8 } };
  const remedy = (change: Partial<HealthFacts>) => {
    const verdict = drawVerdict({ ...healthy, ...change });
    return verdict !== undefined && 'remedy' in verdict ? verdict.remedy : undefined;
  };
  expect([
    remedy({ ...slow, renditions: [{ asked: first, state: 'running' }] }),
    remedy({ ...slow, renditions: [{ asked: first, state: 'left-out' }] }),
    remedy({
      renditions: [
        { asked: first, state: 'shed' },
        { asked: second, state: 'waiting' },
      ],
    }),
    remedy({ renditions: [{ asked: first, state: 'shed' }] }),
    remedy({ renditions: [{ asked: first, state: 'running' }] }),
  ]).toEqual(['fewer-renditions', undefined, 'fewer-renditions', undefined, undefined]);
});
