import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { encodePresets } from '../../src/shared/model/encode-settings.ts';
import { type Source, testSource } from '../../src/shared/model/source.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { signalProcess } from '../../src/tools/processes.ts';
import { readHoldings, settleHoldings } from '../support/accounting.ts';
import { fetchRendition } from '../support/fetch-rendition.ts';
import { measureTone, readPictures } from '../support/ffmpeg.ts';
import { findCaptures, findEncoders, theOnly } from '../support/find-processes.ts';
import { microphone, type PulseServer, startPulseServer } from '../support/pulse-server.ts';
import { untilSeen } from '../support/seen-brightness.ts';
import { startTestService } from '../support/test-service.ts';
import { holdOpen, waitUntil } from '../support/wait-until.ts';
import { startX11Display, type X11Display } from '../support/x11-display.ts';

/** Slow, small and cheap. */
const encode = { kind: 'by-hand', settings: { ...encodePresets['720p30'], fps: 10, videoBitrateBps: 1_000_000 } } as const;
const screenSize = { width: 640, height: 360 };

describe.skipIf(process.platform !== 'linux')('devices of this computer', () => {
  let holdings: Awaited<ReturnType<typeof readHoldings>>;
  let stage: Awaited<ReturnType<typeof startTestService>>;
  let display: X11Display;
  let pulse: PulseServer;
  beforeAll(async () => {
    holdings = await readHoldings();
    [display, pulse] = await Promise.all([startX11Display('640x360'), startPulseServer()]);
    vi.stubEnv('DISPLAY', display.name);
    vi.stubEnv('WAYLAND_DISPLAY', undefined);
    vi.stubEnv('PULSE_SERVER', pulse.address);
    display.play('Moving picture', screenSize);
    await Promise.all([
      pulse.playTone('room', { hz: 1_000, peakDb: -20 }),
      pulse.playTone('speakers', { hz: 400, peakDb: -20 }),
    ]);
    stage = await startTestService();
    // It is to be on air from the first picture.
    await waitUntil(await stage.app.source.watchDevices(), ({ windows }) => windows.length > 0);
  });
  afterAll(async () => {
    await stage.close();
    await Promise.all([display[Symbol.asyncDispose](), pulse[Symbol.asyncDispose]()]);
    vi.unstubAllEnvs();
    // No process, socket or timer outlives its broadcast.
    expect(await settleHoldings(holdings, 10_000)).toEqual([]);
  });

  const screen = () => ({ kind: 'screen', device: { id: display.name, name: 'Screen' } }) as const;
  const mic = { kind: 'microphone', device: { id: 'mic', name: 'Microphone' } } as const;
  const speakers = { kind: 'system', device: { id: 'speakers.monitor', name: 'Speakers' } } as const;
  const loud = { levelDb: 0, isMuted: false };

  async function goLive(name: string, source: Source) {
    const { app, urls } = stage;
    const { id: streamId, playbackId } = await app.stream.create({ name });
    await app.broadcast.goLive({ streamId, source, encode });
    // A test that failed would leave it to those after it.
    onTestFinished(async () => void (await app.broadcast.stop({ streamId })));
    const watch = async (is: (live: StreamLive) => boolean) => waitUntil(await app.stream.watch({ streamId }), is);
    const mediaUrl = `${urls.playbackBaseUrl}/${playbackId}/source/index.m3u8`;
    return {
      mediaUrl,
      watch,
      /** Waits for this much more of the broadcast. */
      pass: async (segments: number) => {
        const { session } = await watch(() => true);
        const made = session?.sourceSegments ?? 0;
        return watch((live) => (live.session?.sourceSegments ?? 0) >= made + segments);
      },
      change: (next: Source) => app.broadcast.changeSource({ streamId, source: next }),
      fetch: () => fetchRendition(mediaUrl),
      stop: () => app.broadcast.stop({ streamId }),
    };
  }

  test('a screen, a microphone and what the computer plays are on air, each sound at its level', async () => {
    const inputs = [
      { of: mic, ...loud },
      { of: speakers, levelDb: -12, isMuted: false },
    ];
    const broadcast = await goLive('Screen', { picture: { main: screen() }, sound: { inputs, limits: false } });
    const live = await broadcast.pass(5);
    expect(live).toMatchObject({
      oneClick: { kind: 'running', away: [] },
      meters: { width: 1280, height: 720, audioChannels: 2 },
    });
    const { runs } = await broadcast.fetch();
    await broadcast.stop();
    expect(runs).toHaveLength(1);
    const bytes = runs[0]?.bytes ?? Buffer.alloc(0);
    // It moves, and is not black.
    const pictures = await readPictures(bytes);
    expect(new Set(pictures.map(({ hash }) => hash)).size).toBeGreaterThan(pictures.length / 2);
    expect(Math.min(...pictures.slice(5).map(({ brightness }) => brightness))).toBeGreaterThan(60);
    expect([await measureTone(bytes, 1_000), await measureTone(bytes, 400)]).toEqual([
      expect.closeTo(-20, 0),
      expect.closeTo(-32, 0),
    ]);
  });

  test('a microphone that is muted, unplugged and back is named and taken back, and its broadcast continues', async () => {
    const broadcast = await goLive('Microphone', {
      picture: { main: { kind: 'test-picture' } },
      sound: { inputs: [{ of: mic, ...loud }], limits: true },
    });
    const awayFor = (code: string) => [{ part: 'sound', input: 0, kind: 'microphone', name: 'Microphone', fault: { code } }];
    const awayOf = ({ oneClick }: StreamLive) => (oneClick.kind === 'running' ? oneClick.away : undefined);
    const before = await broadcast.pass(1);
    const told = async (code: string) => awayOf(await broadcast.watch((live) => awayOf(live)?.[0]?.fault.code === code));
    await pulse.control('set-source-mute', 'mic', '1');
    expect(await told('muted')).toEqual(awayFor('muted'));
    await pulse.control('set-source-mute', 'mic', '0');
    await broadcast.watch((live) => awayOf(live)?.length === 0);

    await pulse.control('unload-module', 'module-remap-source');
    expect(await told('gone')).toEqual(awayFor('gone'));
    const [name = '', ...settings] = microphone.split(' ');
    await pulse.control('load-module', name, ...settings);
    const after = await broadcast.watch((live) => awayOf(live)?.length === 0);
    expect(after.session?.id).toBe(before.session?.id);

    // A capture that dies is taken back, too.
    const findMics = async () => (await findCaptures(process.pid)).filter(({ words }) => words.includes('pulse'));
    const killed = theOnly(await findMics());
    expect(signalProcess(killed, 'SIGKILL')).toBe(true);
    await expect
      .poll(async () => (await findMics()).map(({ pid }) => pid), { timeout: 10_000 })
      .not.toBeOneOf([[killed.pid], []]);
    await broadcast.pass(2);
    const { playlist } = await broadcast.fetch();
    await broadcast.stop();
    expect(playlist.segments.filter(({ gap, discontinuity }) => gap || discontinuity)).toEqual([]);
  });

  test('a source changes on air at a keyframe, with the same encoder, session and playlist', async () => {
    const broadcast = await goLive('Change', testSource);
    const before = await broadcast.pass(2);
    const findOwn = async () => (await findEncoders(process.pid)).map(({ pid }) => pid);
    const encoders = await findOwn();
    // A picture that doesn't move, and no sound.
    const still: Source = {
      picture: { main: { kind: 'window', device: { id: '0x1', name: 'Closed' } } },
      sound: { inputs: [], limits: false },
    };
    await broadcast.change(still);
    const after = await broadcast.pass(3);
    expect(after.oneClick).toMatchObject({ kind: 'running', source: still });
    expect(after.session?.id).toBe(before.session?.id);
    expect(after.verdict).toMatchObject({ code: 'source-away', severity: 'bad', away: { part: 'picture', name: 'Closed' } });
    expect(await findOwn()).toEqual(encoders);
    // A busy computer's encoder is behind.
    await untilSeen(broadcast.mediaUrl, (brightness) => brightness < 20);
    await broadcast.pass(1);
    const { playlist, runs } = await broadcast.fetch();
    await broadcast.stop();
    expect(playlist.segments.filter(({ gap, discontinuity }) => gap || discontinuity)).toEqual([]);
    const [run] = runs;
    const pictures = await readPictures(run?.bytes ?? Buffer.alloc(0));
    const cut = pictures.findIndex(({ brightness }) => brightness < 20);
    expect(cut).toBeGreaterThan(0);
    // Black from there on, from a keyframe: there is one each second. A busy computer may miss any of its ten frames, also the first.
    expect(pictures.slice(cut).filter(({ brightness }) => brightness > 20)).toEqual([]);
    const samples = run?.segments.flatMap(({ video }) => video) ?? [];
    expect(samples[cut]?.sync).toBe(true);
    const secondOf = (index: number) => Math.floor(((samples[index]?.dts ?? Number.NaN) - (samples[0]?.dts ?? 0)) / 90_000);
    expect(secondOf(cut)).toBeGreaterThan(secondOf(cut - 1));
  });

  test('a screen and a microphone on air are previewed from their own captures, and no device is opened twice', async () => {
    const inputs = [{ of: mic, ...loud }];
    const corner = { of: screen(), corner: 'top-left', share: 0.25 } as const;
    const inCorner: Source = {
      picture: { main: { kind: 'test-picture' }, inset: corner },
      sound: { inputs, limits: false },
    };
    const onScreen: Source = { picture: { main: screen() }, sound: { inputs, limits: false } };
    const broadcast = await goLive('Preview', inCorner);
    await broadcast.pass(1);
    const findDevices = async () =>
      (await findCaptures(process.pid))
        .filter(({ words }) => words.includes('x11grab') || words.includes('pulse'))
        .map(({ pid, words }) => ({ pid, size: /pad=(\d+:\d+)/.exec(words.join(' '))?.[1] }))
        .sort((one, other) => one.pid - other.pid);
    const before = await findDevices();
    expect(before.map(({ size }) => size).sort()).toEqual(['320:180', undefined]);
    const previews = await stage.app.source.watchPreview({ source: onScreen });
    const shown = await waitUntil(
      holdOpen(previews),
      ({ jpeg, inputs }) => jpeg !== undefined && (inputs[0]?.levels[0]?.peakDb ?? -99) > -25,
    );
    expect(shown.away).toEqual([]);
    expect(await findDevices()).toEqual(before);
    await previews.return();
    // It needs the screen larger: the same device is opened again, and the one in the corner stays until then.
    await broadcast.change(onScreen);
    const { oneClick, log } = await broadcast.pass(2);
    expect(oneClick).toMatchObject({ kind: 'running', source: onScreen, away: [] });
    expect(log.map(({ event }) => event.code)).toContain('source-changed');
    const after = await findDevices();
    expect(after.map(({ size }) => size).sort()).toEqual(['1280:720', undefined]);
    expect(after.filter(({ size }) => size === undefined)).toEqual(before.filter(({ size }) => size === undefined));
    await broadcast.stop();
    await expect.poll(findDevices).toEqual([]);
  });

  test('a source whose file is no media is refused on air, and the one before stays', async () => {
    const broadcast = await goLive('Refused', testSource);
    await broadcast.pass(1);
    const broken: Source = { ...testSource, picture: { main: { kind: 'still', path: import.meta.filename } } };
    await expect(broadcast.change(broken)).rejects.toMatchObject({
      code: 'SOURCE_FAILED',
      message: "ffmpeg can't read this file. It may be damaged, or neither a video nor a picture.",
    });
    const live = await broadcast.pass(1);
    expect(live.oneClick).toMatchObject({ kind: 'running', source: testSource, away: [] });
    expect(live.log.map(({ event }) => event.code)).not.toContain('source-changed');
    await broadcast.stop();
  });
});
