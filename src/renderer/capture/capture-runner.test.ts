import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { BrowserSocket, BrowserTrack, stubTrackProcessor } from '../../../test/support/browser-track.ts';
import type { PageCaptureOrder } from '../../shared/model/page-capture.ts';
import { CaptureRunner } from './capture-runner.ts';

let cameras: BrowserTrack[];
let shared: BrowserTrack[];
let microphone: BrowserTrack;
let isPlugged: boolean;
let devices: EventTarget;
let sockets: BrowserSocket[];
let told: string[];
let runner: CaptureRunner;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  stubTrackProcessor();
  [cameras, isPlugged, sockets, told] = [[], true, [], []];
  shared = [];
  microphone = new BrowserTrack('audio');
  devices = Object.assign(new EventTarget(), {
    async getDisplayMedia({ audio }: MediaStreamConstraints) {
      const screen = Object.assign(new BrowserTrack('video'), { settings: { displaySurface: 'monitor' } });
      shared.push(screen);
      return { getVideoTracks: () => [screen], getAudioTracks: () => (audio ? [new BrowserTrack('audio')] : []) };
    },
    async getUserMedia({ audio }: MediaStreamConstraints) {
      if (audio) return { getVideoTracks: () => [], getAudioTracks: () => [microphone] };
      if (!isPlugged) throw new DOMException('Requested device not found', 'NotFoundError');
      const camera = new BrowserTrack('video');
      cameras.push(camera);
      return { getVideoTracks: () => [camera], getAudioTracks: () => [] };
    },
  });
  const navigator = { mediaDevices: devices, userAgent: '' };
  vi.stubGlobal('navigator', navigator);
  vi.stubGlobal('window', { isSecureContext: true, navigator });
  runner = run({ of: 'camera' });
});

function run(order: PageCaptureOrder): CaptureRunner {
  return new CaptureRunner({
    capture: { captureId: 'c', place: 'here', order, attempt: 1, state: { kind: 'waiting' } },
    connect: async () => {
      const socket = new BrowserSocket();
      sockets.push(socket);
      return socket as never;
    },
    onState: (state) => told.push(state.kind === 'failed' ? state.failure.code : state.kind),
  });
}
afterEach(() => {
  runner.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a camera that is unplugged is not found, and taken back at once when it is plugged in', async () => {
  await pass(1);
  isPlugged = false;
  cameras[0]?.end();
  await pass(1_000);
  expect(told).toEqual(['asking', 'open', 'not-found']);
  await pass(5_000);
  expect(told.slice(3)).toEqual(['asking', 'not-found']);
  isPlugged = true;
  devices.dispatchEvent(new Event('devicechange'));
  await pass(1);
  expect(told.slice(5)).toEqual(['asking', 'open']);
  expect([cameras.length, sockets.length]).toEqual([2, 2]);
});

test("a camera that no order names, and that is unplugged, isn't replaced by another one, and is taken back", async () => {
  const opened: string[] = [];
  let plugged = ['a', 'b'];
  Object.assign(devices, {
    async getUserMedia({ video }: { video: { deviceId?: { exact: string } } }) {
      const exact = video.deviceId?.exact;
      const deviceId = plugged.find((id) => exact === undefined || id === exact);
      if (deviceId === undefined) throw new DOMException('', 'OverconstrainedError');
      const camera = Object.assign(new BrowserTrack('video'), { deviceId });
      cameras.push(camera);
      opened.push(deviceId);
      return { getVideoTracks: () => [camera], getAudioTracks: () => [] };
    },
  });
  runner.stop();
  await pass(1);
  [told, cameras] = [[], []];
  runner = run({ of: 'camera' });
  await pass(1);
  plugged = ['b'];
  cameras[0]?.end();
  devices.dispatchEvent(new Event('devicechange'));
  await pass(10_000);
  expect([opened, told.slice(0, 3), told.at(-1)]).toEqual([['a'], ['asking', 'open', 'not-found'], 'not-found']);
  plugged = ['b', 'a'];
  devices.dispatchEvent(new Event('devicechange'));
  await pass(1);
  expect([opened, told.at(-1)]).toEqual([['a', 'a'], 'open']);
});

test('a camera that the user stopped sharing stays off, whatever is plugged in', async () => {
  await pass(1);
  runner.endSharing();
  await pass(1_000);
  expect([told, cameras[0]?.readyState]).toEqual([['asking', 'open', 'ended'], 'ended']);
  devices.dispatchEvent(new Event('devicechange'));
  await pass(60_000);
  expect([told.length, cameras.length, sockets.length]).toEqual([3, 1, 1]);
});

test('what the user has ended stays so when the page is opened again', async () => {
  runner.stop();
  await pass(1);
  const before = cameras.length;
  const ended = new CaptureRunner({
    capture: { captureId: 'c', place: 'here', order: { of: 'camera' }, attempt: 1, state: { kind: 'ended' } },
    connect: () => Promise.reject(new Error('nothing should be sent')),
    onState: () => {},
  });
  await pass(60_000);
  expect([ended.state, cameras.length]).toEqual([{ kind: 'ended' }, before]);
});

test('a camera that sends nothing is let go of and opened again', async () => {
  await pass(1);
  sockets[0]?.hear({ kind: 'want', video: { width: 2, height: 2, fps: 30 }, audio: false });
  for (let asked = 0; asked < 5; asked += 1) sockets[0]?.hear({ kind: 'again' });
  await pass(1_000);
  expect([told, cameras[0]?.readyState]).toEqual([['asking', 'open', 'stuck'], 'ended']);
  await pass(5_000);
  expect(told.slice(3)).toEqual(['asking', 'open']);
});

test('a socket that is lost is opened again, and the camera stays open', async () => {
  await pass(1);
  sockets[0]?.close();
  await pass(1_000);
  expect([sockets.length, cameras.length, told]).toEqual([2, 1, ['asking', 'open']]);
});

test('a window that closes before it opens is not opened, and only its user can share it again', async () => {
  let asked = 0;
  Object.assign(devices, {
    getDisplayMedia: async () => {
      asked += 1;
      throw new DOMException('Could not start video source', 'NotReadableError');
    },
  });
  const seen: unknown[] = [];
  const shared = new CaptureRunner({
    capture: { captureId: 's', place: 'here', order: { of: 'screen' }, attempt: 1, state: { kind: 'waiting' } },
    connect: () => Promise.reject(new Error('nothing should be sent')),
    onState: (state) => seen.push(state),
  });
  await pass(1);
  shared.choose();
  await pass(60_000);
  expect([seen, asked]).toEqual([[{ kind: 'asking' }, { kind: 'failed', failure: { code: 'not-opened' } }], 1]);
});

test('a button that is pressed twice opens one picker, and what it shared is ended', async () => {
  const screen = run({ of: 'screen' });
  await pass(1);
  screen.choose();
  screen.choose();
  await pass(1);
  screen.stop();
  await pass(1);
  expect(shared.map(({ readyState }) => readyState)).toEqual(['ended']);
});

test('a screen says whether its sound has the monitor in it', async () => {
  const heard = run({ of: 'screen', withSound: true });
  onTestFinished(() => heard.stop());
  await pass(1);
  heard.choose();
  await pass(1);
  expect(heard.state).toMatchObject({ kind: 'open', of: 'screen', hasSound: true, hearsMonitor: true });
});

test('a microphone that was silent before its socket was lost, and is heard on the next one, is not called silent', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const listening = run({ of: 'microphone' });
  onTestFinished(() => listening.stop());
  await pass(1);
  const speak = async (value: number, blocks: number) => {
    for (let block = 0; block < blocks; block += 1) {
      microphone.push({ numberOfChannels: 1, numberOfFrames: 2, copyTo: (to: Float32Array) => void to.fill(value) } as never);
      await pass(100);
    }
  };
  const hear = async () => {
    sockets.at(-1)?.hear({ kind: 'want', audio: true });
    await pass(1);
  };
  await hear();
  await speak(0, 60);
  expect(listening.state).toMatchObject({ kind: 'open', isSilent: true });
  sockets.at(-1)?.close();
  await pass(1_100);
  await hear();
  await speak(0.5, 10);
  expect(listening.state).toMatchObject({ kind: 'open', isSilent: false });
});

test('a camera that is unplugged before it is known to be open is not found', async () => {
  Object.assign(devices, {
    getUserMedia: async () => {
      const camera = new BrowserTrack('video');
      camera.end();
      return { getVideoTracks: () => [camera], getAudioTracks: () => [] };
    },
  });
  runner.stop();
  told = [];
  runner = run({ of: 'camera' });
  await pass(1_000);
  expect(told.at(-1)).toBe('not-found');
  runner.stop();
  await pass(1);
});
