import { beforeEach, expect, test } from 'vitest';
import { openCamera } from '../../../test/support/open-camera.ts';
import { camera, noDevices, PageCaptureStand, screen } from '../../../test/support/page-capture-stand.ts';
import type { PageCaptureState } from '../../shared/model/page-capture.ts';

let stand: PageCaptureStand;
beforeEach(() => {
  stand = new PageCaptureStand();
});

test('the app opens its window, and gives a screen the gesture it needs, once per question', () => {
  const captureId = stand.captures.order('app', { ...screen, deviceId: 'window:7:0' });
  stand.captures.join('app', 'page-1');
  const ask = { ...noDevices, captures: [{ captureId, attempt: 1, state: { kind: 'asking' as const } }] };
  stand.captures.report('app', 'page-1', ask);
  stand.captures.report('app', 'page-1', ask);
  expect(stand.hostSaw).toEqual(['open', { captureId, ...screen, deviceId: 'window:7:0' }]);
});

test('after a crash the app asks for one screen after another, so that no answer is taken for another', async () => {
  const first = stand.captures.order('app', { ...screen, deviceId: 'screen:1:0' });
  const second = stand.captures.order('app', { of: 'system' });
  const third = stand.captures.order('app', { ...screen, deviceId: 'window:7:0' });
  const asked = () =>
    stand.hostSaw.flatMap((seen) => (typeof seen === 'string' ? [] : [(seen as { captureId: string }).captureId]));
  const report = (pageId: string, ...states: [captureId: string, state: PageCaptureState][]) =>
    stand.captures.report('app', pageId, {
      ...noDevices,
      captures: states.map(([captureId, state]) => ({ captureId, attempt: 1, state })),
    });
  const asking: PageCaptureState = { kind: 'asking' };
  const leave = stand.captures.join('app', 'page-1');
  report('page-1', [first, asking], [second, asking], [third, asking]);
  expect(asked()).toEqual([first]);
  // The page crashes before the first is answered; its loss may be noticed later.
  stand.captures.join('app', 'page-2');
  leave();
  report('page-2', [first, asking], [second, asking], [third, asking]);
  expect(asked()).toEqual([first, first]);
  report('page-2', [first, openCamera], [second, asking], [third, asking]);
  expect(asked()).toEqual([first, first, second]);
  // Nobody uses the second any more.
  const letGo = stand.captures.hold([first, third]);
  stand.nowMs = 15_001;
  await stand.captures.tick();
  letGo();
  expect(asked()).toEqual([first, first, second, third]);
});

test('a camera in the app needs no gesture', () => {
  const captureId = stand.captures.order('app', camera);
  stand.captures.join('app', 'page-1');
  stand.captures.report('app', 'page-1', { ...noDevices, captures: [{ captureId, attempt: 1, state: { kind: 'asking' } }] });
  expect(stand.hostSaw).toEqual(['open']);
});

test('what neither a screen nor a broadcast uses is closed after 15 s, and with the last one the window', async () => {
  const first = stand.captures.order('app', camera);
  const second = stand.captures.order('app', camera);
  stand.captures.join('app', 'page-1');
  const letGo = stand.captures.hold([first]);
  stand.broadcast.add(second);
  stand.nowMs = 60_000;
  await stand.captures.tick();
  expect(stand.captures.at('app').captures.map(({ captureId }) => captureId)).toEqual([first, second]);
  letGo();
  stand.nowMs = 75_001;
  await stand.captures.tick();
  expect(stand.captures.at('app').captures.map(({ captureId }) => captureId)).toEqual([second]);
  expect(stand.hostSaw).toEqual(['open', 'open']);
  stand.broadcast.clear();
  stand.nowMs = 90_002;
  await stand.captures.tick();
  expect(stand.captures.at('app').captures).toEqual([]);
  expect(stand.hostSaw).toEqual(['open', 'open', 'close']);
});

const crashing: PageCaptureState = { kind: 'failed', failure: { code: 'crashing' } };

test("the app's window that keeps crashing is opened again after a minute, and until then its captures say so", async () => {
  const captureId = stand.captures.order('app', camera);
  const ended = stand.captures.order('app', screen);
  const elsewhere = stand.captures.order('browser', camera);
  stand.broadcast = new Set([captureId, ended, elsewhere]);
  const leave = stand.captures.join('app', 'page-1');
  stand.captures.report('app', 'page-1', {
    ...noDevices,
    captures: [{ captureId: ended, attempt: 1, state: { kind: 'ended' } }],
  });
  stand.nowMs = 5_000;
  stand.captures.giveUp();
  // Its lost connection may be noticed later.
  leave();
  expect([stand.states('app'), stand.states('browser')]).toEqual([[crashing, { kind: 'ended' }], [{ kind: 'waiting' }]]);
  stand.hostSaw = [];
  stand.nowMs = 64_999;
  await stand.captures.tick();
  expect(stand.hostSaw).toEqual([]);
  stand.nowMs = 65_000;
  await stand.captures.tick();
  await stand.captures.tick();
  expect(stand.hostSaw).toEqual(['open']);
  expect(stand.states('app')[0]).toEqual(crashing);
  stand.captures.join('app', 'page-2');
  expect(stand.states('app')[0]).toEqual({ kind: 'waiting' });
});

test("the app's window that keeps crashing is opened again at once when the user asks, and never for nothing", async () => {
  const [first, second] = [stand.captures.order('app', camera), stand.captures.order('app', camera)];
  const leave = stand.captures.join('app', 'page-1');
  stand.captures.giveUp();
  leave();
  stand.hostSaw = [];
  stand.captures.again(first);
  expect([stand.hostSaw, stand.states('app')]).toEqual([['open'], [{ kind: 'waiting' }, crashing]]);
  stand.captures.giveUp();
  expect(stand.states('app')).toEqual([crashing, crashing]);
  // Nobody uses them any more.
  stand.nowMs = 70_000;
  await stand.captures.tick();
  await stand.captures.tick();
  expect([stand.hostSaw, stand.captures.find(second)]).toEqual([['open', 'close'], undefined]);
});

test("the app's window whose page doesn't come is closed, says so, and is opened again after a minute", async () => {
  stand.broadcast.add(stand.captures.order('app', camera));
  stand.nowMs = 30_000;
  await stand.captures.tick();
  expect([stand.hostSaw, stand.states('app')]).toEqual([['open', 'open'], [{ kind: 'waiting' }]]);
  stand.hostSaw = [];
  stand.nowMs = 30_001;
  await stand.captures.tick();
  await stand.captures.tick();
  const failed = { kind: 'failed', failure: { code: 'not-loaded' } };
  expect([stand.hostSaw, stand.states('app')]).toEqual([['close'], [failed]]);
  stand.nowMs = 90_001;
  await stand.captures.tick();
  stand.nowMs = 120_001;
  await stand.captures.tick();
  expect([stand.hostSaw, stand.states('app')]).toEqual([['close', 'open'], [failed]]);
  const leave = stand.captures.join('app', 'page-1');
  expect(stand.states('app')).toEqual([{ kind: 'waiting' }]);
  stand.nowMs = 999_999;
  await stand.captures.tick();
  leave();
  // Its page crashed, and is reloaded.
  await stand.captures.tick();
  stand.nowMs += 30_000;
  await stand.captures.tick();
  expect([stand.hostSaw.includes('close', 1), stand.states('app')]).toEqual([false, [{ kind: 'waiting' }]]);
});

test("the app's window whose page is there stays open, however often more is ordered or asked for again", async () => {
  const order = () => {
    const captureId = stand.captures.order('app', camera);
    stand.broadcast.add(captureId);
    return captureId;
  };
  const report = (...attempts: [captureId: string, attempt: number][]) =>
    stand.captures.report('app', 'page-1', {
      ...noDevices,
      captures: attempts.map(([captureId, attempt]) => ({ captureId, attempt, state: openCamera })),
    });
  const first = order();
  stand.captures.join('app', 'page-1');
  report([first, 1]);
  stand.nowMs = 60_000;
  await stand.captures.tick();
  const second = order();
  stand.captures.again(first);
  report([first, 2], [second, 1]);
  stand.nowMs = 999_999;
  await stand.captures.tick();
  expect([stand.hostSaw.includes('close'), stand.states('app')]).toEqual([false, [openCamera, openCamera]]);
});

test("the app's window that was closed by something else is opened again while it has captures", async () => {
  const captureId = stand.captures.order('app', camera);
  stand.captures.order('browser', camera);
  const leave = stand.captures.join('app', 'page-1');
  stand.broadcast.add(captureId);
  await stand.captures.tick();
  expect(stand.hostSaw).toEqual(['open']);
  leave();
  await stand.captures.tick();
  expect(stand.hostSaw).toEqual(['open', 'open']);
  stand.captures.join('app', 'page-2');
  await stand.captures.tick();
  expect(stand.hostSaw).toEqual(['open', 'open']);
});
