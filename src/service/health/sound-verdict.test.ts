import { expect, test } from 'vitest';
import { healthy, now, onAir, oneClickRunning } from '../../../test/support/health-facts.ts';
import type { AwayPart } from '../../shared/model/capture.ts';
import type { AirState } from '../../shared/model/live.ts';
import { type Profile, recommendedProfiles } from '../../shared/model/profile.ts';
import { type Source, testSource } from '../../shared/model/source.ts';
import type { HealthFacts } from './health-facts.ts';
import { reportStages } from './stages.ts';
import { drawVerdict, findTroubles } from './verdict.ts';

test('trouble with the sound of another encoder is a verdict and a warning of that encoder, after everything that viewers miss', () => {
  const silent = { code: 'silent', severity: 'warn' } as const;
  const loud = { code: 'loudness-off', severity: 'warn', loudnessLufs: -8, targetLufs: -16 } as const;
  const [profile] = recommendedProfiles as [Profile];
  const given: HealthFacts = { ...healthy, renditions: [{ asked: profile, state: 'given-up' }] };
  expect(drawVerdict({ ...given, sound: [silent] })).toEqual({ ...silent, stage: 'encoder', mayBeWithheld: false });
  const received = { stage: 'ingest', code: 'receiving', severity: 'good' };
  const packaged = { stage: 'package', code: 'packaging', severity: 'good', segmentSeconds: 2 };
  expect(reportStages({ ...healthy, sound: [silent] })).toEqual([
    { stage: 'encode', code: 'encoding-sound', severity: 'warn', trouble: 'silent' },
    received,
    packaged,
  ]);
  const unheard: AirState = { ...onAir, silentSince: now - 20_000 };
  expect(reportStages({ ...healthy, air: unheard, sound: [silent] })[0]).toEqual({
    ...received,
    code: 'sends-nothing',
    severity: 'bad',
  });
  expect(drawVerdict({ ...healthy, sound: [loud] })).toEqual({ ...loud, stage: 'encoder' });
  expect(reportStages({ ...healthy, sound: [loud] })[0]).toMatchObject({ stage: 'encode', trouble: 'loudness-off' });
  expect(drawVerdict({ ...given, sound: [loud] })?.code).toBe('no-renditions');
  const gone: AirState = { ...onAir, kind: 'reconnecting', lostAt: now };
  expect(drawVerdict({ ...healthy, air: gone, sound: [silent] })?.code).toBe('encoder-gone');
  const clipping = { code: 'clipping', severity: 'warn' } as const;
  expect(drawVerdict({ ...healthy, meters: { measuredAt: now, fps: 28 }, sound: [clipping] })?.code).toBe('frames-missing');
  const away = { measuredAt: now, away: 'sound' } as const;
  expect(findTroubles({ ...healthy, meters: away, sound: [silent] }).map(({ code }) => code)).toEqual(['no-sound']);
});

test('sound that one click captures goes wrong at its capture, and what the computer plays may be withheld', () => {
  const verdictFor = (...inputs: Source['sound']['inputs']) => {
    const source: Source = { ...testSource, sound: { inputs, limits: false } };
    const oneClick = { ...oneClickRunning, source };
    return drawVerdict({ ...healthy, oneClick, sound: [{ code: 'silent', severity: 'warn' }] });
  };
  const page = { kind: 'page', captureId: 'a', name: 'System sound', of: 'system' } as const;
  const silent = { code: 'silent', severity: 'warn', stage: 'capture' };
  expect(verdictFor({ of: { ...page, of: 'microphone' }, levelDb: 0, isMuted: false })).toMatchObject({ mayBeWithheld: false });
  expect(verdictFor({ of: page, levelDb: 0, isMuted: true })).toMatchObject({ mayBeWithheld: false });
  expect(verdictFor({ of: page, levelDb: 0, isMuted: false })).toEqual({ ...silent, mayBeWithheld: true });
  const clipping = { ...healthy, oneClick: oneClickRunning, sound: [{ code: 'clipping', severity: 'warn' }] } as const;
  const clips = { code: 'clipping', severity: 'warn', stage: 'capture', isLimited: false };
  expect(drawVerdict(clipping)).toEqual(clips);
  const limited = { ...oneClickRunning, source: { ...testSource, sound: { ...testSource.sound, limits: true } } };
  expect(drawVerdict({ ...clipping, oneClick: limited })).toEqual({ ...clips, isLimited: true });
  expect(reportStages(clipping).map(({ stage, severity }) => [stage, severity])).toEqual([
    ['capture', 'warn'],
    ['encode', 'good'],
    ['upload', 'good'],
    ['ingest', 'good'],
    ['package', 'good'],
  ]);
  expect(reportStages(clipping)[0]).toEqual({
    stage: 'capture',
    code: 'capturing-sound',
    severity: 'warn',
    trouble: 'clipping',
  });
});

test('silence that is meant is no trouble: a source that was chosen without sound, or one whose owner has said so', () => {
  const silent: HealthFacts = { ...healthy, sound: [{ code: 'silent', severity: 'warn' }] };
  const noInputs = { ...oneClickRunning, source: { ...testSource, sound: { inputs: [], limits: false } } };
  const good = { code: 'good', severity: 'good' };
  expect(drawVerdict({ ...silent, oneClick: noInputs })).toEqual(good);
  expect(reportStages({ ...silent, oneClick: noInputs })[0]).toEqual({ stage: 'capture', code: 'capturing', severity: 'good' });
  expect(drawVerdict({ ...silent, isSilenceMeant: true })).toEqual(good);
  expect(reportStages({ ...silent, isSilenceMeant: true })).toEqual(reportStages(healthy));
  const unchosen = { ...noInputs, source: { ...testSource, sound: { ...noInputs.source.sound, isUnchosen: true as const } } };
  const unheard = { ...silent, oneClick: unchosen };
  expect(drawVerdict(unheard)).toEqual({
    code: 'silent',
    severity: 'warn',
    stage: 'capture',
    mayBeWithheld: false,
    isUnchosen: true,
  });
  expect(drawVerdict({ ...unheard, isSilenceMeant: true })).toEqual(good);
  const pictureOnly: HealthFacts = { ...healthy, meters: { measuredAt: now, fps: 30, videoCodec: 'H.264' } };
  expect(drawVerdict(pictureOnly)).toEqual({ code: 'never-sound', severity: 'warn' });
  const receiving = { stage: 'ingest', code: 'receiving', severity: 'good' };
  const badly = { ...receiving, code: 'receiving-badly', severity: 'warn', trouble: 'never-sound' };
  expect(reportStages(pictureOnly)[0]).toEqual(badly);
  expect(drawVerdict({ ...pictureOnly, isSilenceMeant: true })).toEqual(good);
  expect(reportStages({ ...pictureOnly, isSilenceMeant: true })[0]).toEqual(receiving);
  // Losing sound that was there is another matter.
  const lost: HealthFacts = { ...healthy, meters: { measuredAt: now, away: 'sound' }, isSilenceMeant: true };
  expect(drawVerdict(lost)).toEqual({ code: 'no-sound', severity: 'bad' });
});

test('a part of our own source that is away is marked at the capture, before trouble with its sound', () => {
  const gone = { part: 'sound', input: 0, kind: 'microphone', name: 'Røde', fault: { code: 'gone' } } as const;
  const captureOf = (...away: AwayPart[]) =>
    reportStages({ ...healthy, oneClick: { ...oneClickRunning, away }, sound: [{ code: 'silent', severity: 'warn' }] })[0];
  const part = { stage: 'capture', code: 'part-away' };
  expect(captureOf(gone)).toEqual({ ...part, severity: 'warn', part: 'sound' });
  expect(captureOf(gone, { ...gone, part: 'picture', kind: 'camera' })).toEqual({ ...part, severity: 'bad', part: 'picture' });
});

test('sound that drifts from its picture is a verdict of its own, from the encoder or from a device', () => {
  const drifts = { code: 'sound-drifts', severity: 'warn', driftMs: 90 };
  expect(drawVerdict({ ...healthy, driftMs: 90 })).toEqual({ ...drifts, isOwn: false });
  expect(drawVerdict({ ...healthy, driftMs: 90, oneClick: oneClickRunning })).toEqual({ ...drifts, isOwn: true });
  const encoding = { stage: 'encode', code: 'encoding-sound', severity: 'warn', trouble: 'sound-drifts' };
  expect(reportStages({ ...healthy, driftMs: 90 })[0]).toEqual(encoding);
  const own = { ...healthy, driftMs: 90, oneClick: oneClickRunning };
  expect(reportStages(own).slice(0, 2)).toEqual([{ stage: 'capture', code: 'capturing', severity: 'good' }, encoding]);
  const slow = { ...own, oneClick: { ...oneClickRunning, encodeSpeed: 0.5 } };
  expect(reportStages(slow)[1]).toMatchObject({ code: 'encoding', severity: 'bad' });
  const away: AwayPart = { part: 'sound', input: 0, kind: 'microphone', name: 'Røde', fault: { code: 'off-clock' } };
  const device = { ...healthy, oneClick: { ...oneClickRunning, away: [away] } };
  expect(drawVerdict(device)).toEqual({ code: 'device-drifts', severity: 'warn', away });
  expect(reportStages(device)[0]).toEqual({
    stage: 'capture',
    code: 'capturing-sound',
    severity: 'warn',
    trouble: 'device-drifts',
  });
});

const silent: HealthFacts = { ...healthy, meters: { measuredAt: now, fps: 30, videoCodec: 'avc1.64001f' } };
const onAirFor = (ms: number): HealthFacts['air'] => ({ kind: 'on-air', since: now - ms, sessionId: 'a' });

test('missing audio is a warning once it is overdue', () => {
  expect([drawVerdict({ ...silent, air: onAirFor(3_999) }), drawVerdict({ ...silent, air: onAirFor(4_000) })]).toEqual([
    { code: 'good', severity: 'good' },
    { code: 'never-sound', severity: 'warn' },
  ]);
});

test.each([
  ['without a sound track', {}],
  ['where silence stands in', { audioCodec: 'mp4a.40.2', away: 'sound' }],
] as const)(
  'sound whose timestamps are far from those of the picture is not missing %s, even if silence is meant',
  (_where, tracks) => {
    const meters = { measuredAt: now, videoCodec: 'avc1.64001f', isSoundApart: true, ...tracks } as const;
    const apart: HealthFacts = { ...silent, meters };
    const verdict = { code: 'sound-apart', severity: 'bad' };
    expect([drawVerdict(apart), drawVerdict({ ...apart, isSilenceMeant: true })]).toEqual([verdict, verdict]);
    expect(reportStages(apart)).toContainEqual({
      stage: 'ingest',
      code: 'receiving-badly',
      severity: 'bad',
      trouble: 'sound-apart',
    });
  },
);

test('a stream with audio and video has no such warning', () => {
  const meters = { measuredAt: now, audioCodec: 'mp4a.40.2', videoCodec: 'avc1.64001f' };
  expect(drawVerdict({ ...healthy, meters })).toEqual({ code: 'good', severity: 'good' });
});
