import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { startMeterProcess } from '../../src/service/audio-meter/meter-process.ts';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import type { SoundFrame } from '../../src/service/health/sound-frame.ts';
import type { AudioMeter } from '../../src/shared/model/audio-meter.ts';
import type { Verdict } from '../../src/shared/model/verdict.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { signalProcess } from '../../src/tools/processes.ts';
import { encodeFlv, formatFlv } from '../support/ffmpeg.ts';
import { findMeters } from '../support/find-processes.ts';
import { type PublishPace, publishTags } from '../support/publish-tags.ts';
import { expectSoundTrouble } from '../support/sound-trouble.ts';
import { bothSides, findLoudest, loudSounds, loudVoice, measureSound, tone, voice } from '../support/sounds.ts';
import { repeatTags, shiftTags } from '../support/synthetic-source.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

type Measured = Extract<AudioMeter, { kind: 'measured' }>;

/**
 * A small picture with this sound, as an encoder sends it. Without perceptual noise substitution, in which each decoder hears noise of
 * its own, and peaks of its own with it.
 */
const encode = (seconds: number, sound?: string) =>
  encodeFlv([
    ...['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=10', ...(sound === undefined ? [] : ['-f', 'lavfi', '-i', sound])],
    ...['-t', String(seconds), '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '10', '-bf', '0'],
    ...['-c:a', 'aac', '-b:a', '128k', '-aac_pns', '0'],
  ]);

let stage: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  stage = await startTestService();
  await stage.app.settings.update({ loudnessTargetLufs: -20 });
});
afterAll(() => stage.close());

/** A stream that these tags are published to. */
async function broadcast(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  name: string,
  tags: Iterable<FlvTag>,
  pace?: PublishPace,
) {
  const { app, urls } = stage;
  const { id: streamId } = await app.stream.create({ name });
  const { streamKey } = await app.stream.revealKey({ streamId });
  // The test may end the broadcast before its tags do, or delete its stream.
  const published = publishTags({ port: urls.rtmpPort, streamKey }, tags, pace).catch(() => {});
  onTestFinished(async () => {
    await app.broadcast.stop({ streamId }).catch(() => {});
    await published;
  });
  const hear = async (is: (meter: Measured) => boolean) => {
    const heard = await waitUntil(
      await app.stream.watchAudio({ streamId }),
      ({ meter }) => meter?.kind === 'measured' && is(meter),
    );
    return heard.meter as Measured;
  };
  const watch = async (is: (live: StreamLive) => boolean) => waitUntil(await app.stream.watch({ streamId }), is);
  /** Expects this verdict on its sound, and no other before. */
  const expectTrouble = async (expected: Verdict) => {
    const { stages } = await watch((live) => live.stages.some(({ code }) => code === 'encoding-sound'));
    expect(stages).toContainEqual({ stage: 'encode', code: 'encoding-sound', severity: 'warn', trouble: expected.code });
    await expectSoundTrouble(watch, { stage: 'encode', code: 'encoding-sound' }, expected);
  };
  /** Everything that is measured until the broadcast is over. A busy computer may leave gaps in it. */
  const hearAll = async () => {
    const all: Measured[] = [];
    const over = new AbortController();
    const listen = async () => {
      for await (const { meter } of await app.stream.watchAudio({ streamId }, { signal: over.signal }))
        if (meter?.kind === 'measured') all.push(meter);
    };
    const end = async () => {
      await published;
      await watch(({ stream: { air } }) => air.kind === 'off-air');
      over.abort();
    };
    // Cancelled, it throws.
    await Promise.all([listen().catch((error) => over.signal.aborted || Promise.reject(error)), end()]);
    return all;
  };
  return { streamId, published, hear, hearAll, watch, expectTrouble };
}

const soundOf = (name: string) => loudSounds.find(([each]) => each === name)?.[1] ?? '';

// The longest first.
test.concurrent.for([
  ['too quiet', soundOf('speech at −30 LUFS'), { code: 'loudness-off', severity: 'warn', stage: 'encoder', targetLufs: -20 }],
  ['too loud', loudVoice, { code: 'loudness-off', severity: 'warn', stage: 'encoder', targetLufs: -20 }],
] as const)('speech that is %s is a verdict with what is measured', async ([name, sound, verdict], context) => {
  const tags = await encode(75, sound);
  const file = await measureSound('-', formatFlv(tags));
  // A minute of sound is judged. Most of it comes in a burst that is over before the pace is judged; the meter misses its beginning.
  const { expectTrouble } = await broadcast(context, name, repeatTags(tags, 75), { speed: 8, fastSeconds: 48 });
  await expectTrouble({ ...verdict, loudnessLufs: expect.closeTo(file.integratedLufs, 0) });
});

test.concurrent('speech that clips is noticed at once', async (context) => {
  const { expectTrouble } = await broadcast(context, 'Clipping', await encode(20, soundOf('speech at −6 LUFS')));
  await expectTrouble({ code: 'clipping', severity: 'warn', stage: 'encoder', isLimited: false });
});

test.concurrent('a microphone that is muted in mid-show is noticed after 10 s', async (context) => {
  const seconds = 4;
  const [spoken, muted] = await Promise.all(
    [`${voice},${bothSides}`, `${voice},volume=0,${bothSides}`].map((sound) => encode(seconds, sound)),
  );
  let isMuted = false;
  function* speak() {
    for (let round = 0; ; round += 1) yield* shiftTags((isMuted ? muted : spoken) ?? [], round * seconds * 1000);
  }
  const { hear, expectTrouble } = await broadcast(context, 'Muted', speak());
  await hear(({ momentaryLufs }) => momentaryLufs > -20);
  isMuted = true;
  // The decoder's last quiet samples may be measured before.
  await hear(({ momentaryLufs }) => momentaryLufs === -120);
  await expectTrouble({ code: 'silent', severity: 'warn', stage: 'encoder', mayBeWithheld: false });
});

test.concurrent('audio that starts late, is lost and returns is metered while it is there', async (context) => {
  const tags = await encode(13, `${voice},${bothSides}`);
  const isHeader = ({ body }: FlvTag) => body[1] === 0;
  let isThere = false;
  /** Each is asked for when it is due. */
  function* choose() {
    for (const tag of repeatTags(tags, 13)) if (tag.kind !== 'audio' || isHeader(tag) || isThere) yield tag;
  }
  const { hear, watch } = await broadcast(context, 'Sometimes heard', choose());
  await watch(({ stream: { air } }) => air.kind === 'on-air');
  isThere = true;
  await hear(({ momentaryLufs }) => momentaryLufs > -20);
  isThere = false;
  await hear(({ momentaryLufs }) => momentaryLufs === -120);
  isThere = true;
  await hear(({ momentaryLufs }) => momentaryLufs > -20);
});

test.concurrent.for([
  [
    'a voice on one side',
    'pan=stereo|c0=c0|c1=0*c0',
    { code: 'one-sided', severity: 'warn', stage: 'encoder', without: 'right' },
  ],
  ['a voice with one side inverted', 'pan=stereo|c0=c0|c1=-1*c0', { code: 'inverted', severity: 'warn', stage: 'encoder' }],
] as const)('%s is noticed after 10 s', async ([name, sides, verdict], context) => {
  const { expectTrouble } = await broadcast(context, name, await encode(26, `${voice},${sides}`));
  await expectTrouble(verdict);
});

test.concurrent.for([
  ...loudSounds,
  ['a mono tone that two loudspeakers play at −20 LUFS', `${tone},volume=-2dB`, -20] as const,
])('%s is measured as ffmpeg measures its file', async ([name, sound, aboutLufs], context) => {
  const tags = await encode(8, sound);
  const file = await measureSound('-', formatFlv(tags));
  expect(Math.abs(file.integratedLufs - aboutLufs)).toBeLessThan(1.5);
  const { published, hearAll } = await broadcast(context, name, tags);
  const [heard] = await Promise.all([hearAll(), published]);
  expect(Math.abs(findLoudest(heard) - file.mostShortTermLufs)).toBeLessThanOrEqual(0.5);
  const peaks = heard.at(-1)?.truePeaksDbtp;
  expect(peaks).toHaveLength(name.includes('mono') ? 1 : 2);
  const most = Math.max(...heard.flatMap(({ truePeaksDbtp }) => truePeaksDbtp));
  expect(most).toBeGreaterThan(file.integratedLufs - 1);
  expect(most).toBeLessThanOrEqual(file.truePeakDbtp + 0.1);
});

test.concurrent('a meter that joins within audio shows no peak that is not in it', async () => {
  const hum = `sine=frequency=60:sample_rate=48000,volume=17dB,${bothSides}`;
  const tags = await encode(4, hum);
  const file = await measureSound('-', formatFlv(tags));
  const [config, ...frames] = tags.filter(({ kind }) => kind === 'audio');
  // A period of the hum is 800 samples and a frame 1024: after 25 frames one begins at the same point of it again.
  for (let first = 6; first < 6 + 25; first += 1) {
    const joined = config === undefined ? [] : [config, ...frames.slice(first, first + 24)];
    const heard: SoundFrame[] = [];
    const meter = startMeterProcess('ffmpeg', 'flv', (frame) => heard.push(frame));
    meter.input.end(formatFlv(joined));
    await meter.ended;
    const most = Math.max(...heard.flatMap(({ truePeaksDbtp }) => truePeaksDbtp));
    expect(most, `of frame ${first}`).toBeCloseTo(file.truePeakDbtp, 0);
    expect(most, `of frame ${first}`).toBeLessThanOrEqual(file.truePeakDbtp + 0.1);
  }
});

test('a meter that is killed is started again, a video-only broadcast has none, and none outlives its broadcast or the service', async (context) => {
  // Those of the tests before may be ending.
  await expect.poll(() => findMeters(process.pid)).toEqual([]);
  const voiceTags = await encode(13, `${voice},${bothSides}`);
  const silent = await broadcast(context, 'Picture only', repeatTags(await encode(13), 13));
  const heard = await Promise.all(
    ['Stopped', 'Deleted', 'Closed'].map((name) => broadcast(context, name, repeatTags(voiceTags, 13))),
  );
  await Promise.all(heard.map(({ hear }) => hear(() => true)));
  const killed = await findMeters(process.pid);
  expect(killed).toHaveLength(3);
  for (const meter of killed) signalProcess(meter, 'SIGKILL');
  const isGone = async ({ streamId }: { streamId: string }) =>
    waitUntil(await stage.app.stream.watchAudio({ streamId }), ({ meter }) => meter === undefined);
  await Promise.all(heard.map(isGone));
  await Promise.all(heard.map(({ hear }) => hear(() => true)));
  const pids = (await findMeters(process.pid)).map(({ pid }) => pid);
  expect(pids).toHaveLength(3);
  expect(pids.filter((pid) => killed.some((one) => one.pid === pid))).toEqual([]);
  await silent.watch(({ stream }) => stream.air.kind === 'on-air');
  expect(await waitUntil(await stage.app.stream.watchAudio({ streamId: silent.streamId }), () => true)).toEqual({});

  const [stopped, deleted] = heard.map(({ streamId }) => streamId);
  await stage.app.broadcast.stop({ streamId: stopped ?? '' });
  await expect.poll(() => findMeters(process.pid)).toHaveLength(2);
  await stage.api('DELETE', `/stream/${deleted}`);
  await expect.poll(() => findMeters(process.pid)).toHaveLength(1);
  await stage.service.close();
  expect(await findMeters(process.pid)).toEqual([]);
});
