import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Source } from '../../src/shared/model/source.ts';
import { findCaptures } from '../support/find-processes.ts';
import { makeStaticFfmpeg } from '../support/odd-ffmpeg.ts';
import { type PulseServer, startPulseServer } from '../support/pulse-server.ts';
import { startTestService } from '../support/test-service.ts';
import { holdOpen, waitUntil } from '../support/wait-until.ts';
import { startX11Display, type X11Display } from '../support/x11-display.ts';

// What npm installs on Linux is a static build, too.
describe.skipIf(process.platform !== 'linux')('an ffmpeg that is built without X11 and PulseAudio', () => {
  let display: X11Display;
  let pulse: PulseServer;
  let staticBuild: string;
  let dataFolder: string;
  beforeAll(async () => {
    staticBuild = await makeStaticFfmpeg();
    [display, pulse] = await Promise.all([startX11Display('320x180'), startPulseServer()]);
    display.play('Moving picture', { width: 320, height: 180 });
    await pulse.playTone('room', { hz: 1_000, peakDb: -20 });
    vi.stubEnv('DISPLAY', display.name);
    vi.stubEnv('WAYLAND_DISPLAY', undefined);
    vi.stubEnv('PULSE_SERVER', pulse.address);
    vi.stubEnv('TALLYLIGHT_FFMPEG', staticBuild);
    dataFolder = await mkdtemp(join(tmpdir(), 'device-ffmpegs-'));
  });
  afterAll(async () => {
    await Promise.all([display[Symbol.asyncDispose](), pulse[Symbol.asyncDispose](), rm(dataFolder, { recursive: true })]);
    vi.unstubAllEnvs();
  });
  const path = process.env.PATH;
  afterEach(() => vi.stubEnv('PATH', path));

  const source = (): Source => ({
    picture: { main: { kind: 'screen', device: { id: display.name, name: 'Screen' } } },
    sound: {
      inputs: [{ of: { kind: 'microphone', device: { id: 'mic', name: 'Microphone' } }, levelDb: 0, isMuted: false }],
      limits: false,
    },
  });

  test('leaves screens and microphones to another one on PATH', async () => {
    await using stage = await startTestService({ dataFolder, awaitEncoders: false });
    const { app } = stage;
    const devices = await waitUntil(await app.source.watchDevices(), ({ microphones }) => microphones.length > 0);
    expect(devices).toMatchObject({ screens: [{ id: display.name }], by: { screen: 'service', microphone: 'service' } });
    expect(devices.lacking).toBeUndefined();
    const previews = await app.source.watchPreview({ source: source() });
    const shown = await waitUntil(
      holdOpen(previews),
      ({ jpeg, inputs }) => jpeg !== undefined && (inputs[0]?.levels[0]?.peakDb ?? -99) > -25,
    );
    expect(shown.away).toEqual([]);
    const captures = await findCaptures(process.pid);
    expect(captures.map(({ words }) => words.includes('x11grab') || words.includes('pulse'))).toEqual([true, true]);
    await previews.return();
  });

  test('says what it lacks and what to do, if there is no other', async () => {
    vi.stubEnv('PATH', '');
    await using stage = await startTestService({ dataFolder, awaitEncoders: false });
    const { app } = stage;
    const devices = await waitUntil(await app.source.watchDevices(), () => true);
    expect(devices).toMatchObject({
      screens: [],
      windows: [],
      microphones: [],
      systemSounds: [],
      by: { screen: 'page', window: 'page', camera: 'service', microphone: 'page', system: 'page' },
      lacking: { kinds: ['screen', 'window', 'microphone', 'system'] },
    });
    // What was chosen before says the same.
    const { away } = await waitUntil(await app.source.watchPreview({ source: source() }), ({ away: now }) => now.length > 0);
    expect(away).toMatchObject([
      { part: 'picture', name: 'Screen', fault: { code: 'ffmpeg-lacks' } },
      { part: 'sound', input: 0, name: 'Microphone', fault: { code: 'ffmpeg-lacks' } },
    ]);
  });
});
