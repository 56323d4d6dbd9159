import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BrowserSocket, BrowserTrack, stubTrackProcessor } from '../../../test/support/browser-track.ts';
import { CaptureRunner } from './capture-runner.ts';

let cameras: BrowserTrack[];
let isPlugged: boolean;
let devices: EventTarget;
let sockets: BrowserSocket[];
let told: string[];
let runner: CaptureRunner;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  stubTrackProcessor();
  [cameras, isPlugged, sockets, told] = [[], true, [], []];
  devices = Object.assign(new EventTarget(), {
    getDisplayMedia: () => {},
    async getUserMedia() {
      if (!isPlugged) throw new DOMException('Requested device not found', 'NotFoundError');
      const camera = new BrowserTrack('video');
      cameras.push(camera);
      return { getVideoTracks: () => [camera], getAudioTracks: () => [] };
    },
  });
  const navigator = { mediaDevices: devices };
  vi.stubGlobal('navigator', navigator);
  vi.stubGlobal('window', { isSecureContext: true, navigator });
  runner = new CaptureRunner({
    capture: { captureId: 'c', place: 'here', order: { of: 'camera' }, attempt: 1, state: { kind: 'waiting' } },
    connect: async () => {
      const socket = new BrowserSocket();
      sockets.push(socket);
      return socket as never;
    },
    onState: (state) => told.push(state.kind === 'failed' ? state.failure.code : state.kind),
  });
});
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
