import { beforeEach, expect, test } from 'vitest';
import { openCamera } from '../../../test/support/open-camera.ts';
import type { PageCaptureState, PageDevice } from '../../shared/model/page-capture.ts';
import type { CapturePageHost } from './capture-page-host.ts';
import { PageCaptures } from './page-captures.ts';

const camera = { of: 'camera' } as const;
const screen = { of: 'screen', withSound: true } as const;
const noDevices = { devices: [] as PageDevice[] };

let nowMs: number;
let broadcast: Set<string>;
let hostSaw: unknown[];
let screens: PageDevice[] | 'refused';
let captures: PageCaptures;
let needsScreens: boolean;

/** The desktop app's window, which records what is asked of it. */
const host: CapturePageHost = {
  picker: 'list',
  hasSystemSound: true,
  open: () => hostSaw.push('open'),
  close: () => hostSaw.push('close'),
  letChoose: (captureId, order) => hostSaw.push({ captureId, ...order }),
  listScreens: async () => screens,
  onGiveUp: () => () => {},
};

beforeEach(() => {
  nowMs = 0;
  broadcast = new Set();
  hostSaw = [];
  screens = [];
  needsScreens = true;
  captures = new PageCaptures({
    clock: { monotonicMs: () => nowMs },
    host,
    inUse: () => broadcast,
    needsScreens: () => needsScreens,
  });
});

const replaced = { kind: 'replaced' };
const works = (...orders: unknown[]) => ({ kind: 'works', captures: orders });
const states = (place: string) => captures.at(place).captures.map(({ state }) => state);

test('a page opens what was ordered, and after a reload opens it again', () => {
  const captureId = captures.order('browser', camera);
  const leave = captures.join('browser', 'page-1');
  expect(captures.ordersFor('browser', 'page-1')).toEqual(
    works({ captureId, place: 'browser', order: camera, attempt: 1, state: { kind: 'waiting' } }),
  );
  captures.report('browser', 'page-1', { ...noDevices, captures: [{ captureId, attempt: 1, state: openCamera }] });
  expect(states('browser')).toEqual([openCamera]);
  leave();
  expect(states('browser')).toEqual([{ kind: 'waiting' }]);
  captures.join('browser', 'page-2');
  expect(captures.ordersFor('browser', 'page-2')).toEqual(works(expect.objectContaining({ captureId })));
});

test('a page that joins again opens the same device as before, until the user tries again', () => {
  const captureId = captures.order('browser', camera);
  const report = (pageId: string, attempt: number, state: PageCaptureState) =>
    captures.report('browser', pageId, { ...noDevices, captures: [{ captureId, attempt, state }] });
  const ordered = (pageId: string) => {
    const orders = captures.ordersFor('browser', pageId);
    return orders.kind === 'works' ? orders.captures.map(({ order }) => order) : [];
  };
  captures.join('browser', 'page-1');
  report('page-1', 1, { ...openCamera, deviceId: 'a' });
  report('page-1', 1, { kind: 'failed', failure: { code: 'not-found' } });
  captures.join('browser', 'page-2');
  expect(ordered('page-2')).toEqual([{ of: 'camera', deviceId: 'a' }]);
  expect(captures.at('browser').captures[0]?.order).toEqual(camera);
  captures.again(captureId);
  expect(ordered('page-2')).toEqual([camera]);
  report('page-2', 1, { ...openCamera, deviceId: 'a' });
  expect(ordered('page-2')).toEqual([camera]);
  report('page-2', 2, { ...openCamera, deviceId: 'b' });
  captures.join('browser', 'page-3');
  expect(ordered('page-3')).toEqual([{ of: 'camera', deviceId: 'b' }]);
});

test('only the newest page of a place does the work, and places do not mix', () => {
  const captureId = captures.order('browser', camera);
  const leaveFirst = captures.join('browser', 'page-1');
  captures.join('browser', 'page-2');
  captures.join('phone', 'page-3');
  captures.report('browser', 'page-1', { ...noDevices, captures: [{ captureId, attempt: 1, state: { kind: 'ended' } }] });
  captures.report('phone', 'page-3', { ...noDevices, captures: [{ captureId, attempt: 1, state: { kind: 'ended' } }] });
  expect(states('browser')).toEqual([{ kind: 'waiting' }]);
  expect(captures.ordersFor('browser', 'page-1')).toEqual(replaced);
  expect(captures.ordersFor('browser', 'page-2')).toEqual(works(expect.objectContaining({ captureId })));
  captures.report('browser', 'page-2', { ...noDevices, captures: [{ captureId, attempt: 1, state: openCamera }] });
  leaveFirst();
  expect(states('browser')).toEqual([openCamera]);
  expect(hostSaw).toEqual([]);
});

test('when the newest page of a place closes, the one before takes over again', () => {
  const captureId = captures.order('browser', camera);
  const own = { captureId, place: 'browser', order: camera, attempt: 1 };
  const cams = [{ of: 'camera' as const, id: 'c', name: 'Cam' }];
  const leaveFirst = captures.join('browser', 'page-1');
  captures.report('browser', 'page-1', { devices: cams, captures: [{ captureId, attempt: 1, state: openCamera }] });
  const leaveSecond = captures.join('browser', 'page-2');
  const leaveThird = captures.join('browser', 'page-3');
  captures.report('browser', 'page-3', { ...noDevices, captures: [{ captureId, attempt: 1, state: openCamera }] });
  const orders = () => ['page-1', 'page-2', 'page-3'].map((pageId) => captures.ordersFor('browser', pageId));
  leaveSecond();
  expect(orders()).toEqual([replaced, replaced, works({ ...own, state: openCamera })]);
  let changes = 0;
  captures.changes.on(() => {
    changes += 1;
  });
  leaveThird();
  expect([orders(), changes]).toEqual([[works({ ...own, state: { kind: 'waiting' } }), replaced, replaced], 1]);
  expect(captures.at('browser').devices).toEqual(cams);
  captures.report('browser', 'page-1', { devices: cams, captures: [{ captureId, attempt: 1, state: openCamera }] });
  expect(states('browser')).toEqual([openCamera]);
  leaveFirst();
  expect([states('browser'), captures.at('browser').devices]).toEqual([[{ kind: 'waiting' }], []]);
});

test('a lost connection of the page that is back never takes over', () => {
  const captureId = captures.order('browser', camera);
  captures.join('browser', 'page-1');
  const leaveLost = captures.join('browser', 'page-2');
  const leave = captures.join('browser', 'page-2');
  leave();
  expect(captures.ordersFor('browser', 'page-1')).toEqual(works(expect.objectContaining({ captureId })));
  captures.report('browser', 'page-1', { ...noDevices, captures: [{ captureId, attempt: 1, state: openCamera }] });
  leaveLost();
  expect(states('browser')).toEqual([openCamera]);
});

test('a page that is back on a new connection keeps its captures when the old one is found to be lost', () => {
  const captureId = captures.order('browser', camera);
  const leaveLost = captures.join('browser', 'page-1');
  captures.join('browser', 'page-1');
  captures.report('browser', 'page-1', { ...noDevices, captures: [{ captureId, attempt: 1, state: openCamera }] });
  leaveLost();
  expect(captures.ordersFor('browser', 'page-1')).toEqual(works(expect.objectContaining({ captureId })));
  expect(states('browser')).toEqual([openCamera]);
});

test('an older page that loses its connection and joins again leaves the work to the newer one', () => {
  const captureId = captures.order('browser', camera);
  const leave = captures.join('browser', 'page-1');
  captures.join('browser', 'page-2');
  captures.report('browser', 'page-2', { ...noDevices, captures: [{ captureId, attempt: 1, state: openCamera }] });
  leave();
  captures.join('browser', 'page-1');
  expect(captures.ordersFor('browser', 'page-1')).toEqual(replaced);
  expect(states('browser')).toEqual([openCamera]);
});

test('what the user has ended stays so when its page is reloaded, until it is asked for again', () => {
  const captureId = captures.order('browser', camera);
  const leave = captures.join('browser', 'page-1');
  captures.report('browser', 'page-1', { ...noDevices, captures: [{ captureId, attempt: 1, state: { kind: 'ended' } }] });
  leave();
  captures.join('browser', 'page-2');
  expect(states('browser')).toEqual([{ kind: 'ended' }]);
  captures.again(captureId);
  expect(states('browser')).toEqual([{ kind: 'waiting' }]);
});

test('asked again, a late report on the first time is void', () => {
  const captureId = captures.order('browser', screen);
  captures.join('browser', 'page-1');
  captures.report('browser', 'page-1', { ...noDevices, captures: [{ captureId, attempt: 1, state: { kind: 'ended' } }] });
  captures.again(captureId);
  captures.report('browser', 'page-1', { ...noDevices, captures: [{ captureId, attempt: 1, state: { kind: 'ended' } }] });
  expect(captures.ordersFor('browser', 'page-1')).toEqual(
    works({ captureId, place: 'browser', order: screen, attempt: 2, state: { kind: 'waiting' } }),
  );
});

test('the app opens its window, and gives a screen the gesture it needs, once per question', () => {
  const captureId = captures.order('app', { ...screen, deviceId: 'window:7:0' });
  captures.join('app', 'page-1');
  const ask = { ...noDevices, captures: [{ captureId, attempt: 1, state: { kind: 'asking' as const } }] };
  captures.report('app', 'page-1', ask);
  captures.report('app', 'page-1', ask);
  expect(hostSaw).toEqual(['open', { captureId, ...screen, deviceId: 'window:7:0' }]);
});

test('after a crash the app asks for one screen after another, so that no answer is taken for another', async () => {
  const first = captures.order('app', { ...screen, deviceId: 'screen:1:0' });
  const second = captures.order('app', { of: 'system' });
  const third = captures.order('app', { ...screen, deviceId: 'window:7:0' });
  const asked = () => hostSaw.flatMap((seen) => (typeof seen === 'string' ? [] : [(seen as { captureId: string }).captureId]));
  const report = (pageId: string, ...states: [captureId: string, state: PageCaptureState][]) =>
    captures.report('app', pageId, {
      ...noDevices,
      captures: states.map(([captureId, state]) => ({ captureId, attempt: 1, state })),
    });
  const asking: PageCaptureState = { kind: 'asking' };
  const leave = captures.join('app', 'page-1');
  report('page-1', [first, asking], [second, asking], [third, asking]);
  expect(asked()).toEqual([first]);
  // The page crashes before the first is answered; its loss may be noticed later.
  captures.join('app', 'page-2');
  leave();
  report('page-2', [first, asking], [second, asking], [third, asking]);
  expect(asked()).toEqual([first, first]);
  report('page-2', [first, openCamera], [second, asking], [third, asking]);
  expect(asked()).toEqual([first, first, second]);
  // Nobody uses the second any more.
  const letGo = captures.hold([first, third]);
  nowMs = 15_001;
  await captures.tick();
  letGo();
  expect(asked()).toEqual([first, first, second, third]);
});

test('a camera in the app needs no gesture', () => {
  const captureId = captures.order('app', camera);
  captures.join('app', 'page-1');
  captures.report('app', 'page-1', { ...noDevices, captures: [{ captureId, attempt: 1, state: { kind: 'asking' } }] });
  expect(hostSaw).toEqual(['open']);
});

test('what neither a screen nor a broadcast uses is closed after 15 s, and with the last one the window', async () => {
  const first = captures.order('app', camera);
  const second = captures.order('app', camera);
  captures.join('app', 'page-1');
  const letGo = captures.hold([first]);
  broadcast.add(second);
  nowMs = 60_000;
  await captures.tick();
  expect(captures.at('app').captures.map(({ captureId }) => captureId)).toEqual([first, second]);
  letGo();
  nowMs = 75_001;
  await captures.tick();
  expect(captures.at('app').captures.map(({ captureId }) => captureId)).toEqual([second]);
  expect(hostSaw).toEqual(['open', 'open']);
  broadcast.clear();
  nowMs = 90_002;
  await captures.tick();
  expect(captures.at('app').captures).toEqual([]);
  expect(hostSaw).toEqual(['open', 'open', 'close']);
});

const crashing: PageCaptureState = { kind: 'failed', failure: { code: 'crashing' } };

test("the app's window that keeps crashing is opened again after a minute, and until then its captures say so", async () => {
  const captureId = captures.order('app', camera);
  const ended = captures.order('app', screen);
  const elsewhere = captures.order('browser', camera);
  broadcast = new Set([captureId, ended, elsewhere]);
  const leave = captures.join('app', 'page-1');
  captures.report('app', 'page-1', { ...noDevices, captures: [{ captureId: ended, attempt: 1, state: { kind: 'ended' } }] });
  nowMs = 5_000;
  captures.giveUp();
  // Its lost connection may be noticed later.
  leave();
  expect([states('app'), states('browser')]).toEqual([[crashing, { kind: 'ended' }], [{ kind: 'waiting' }]]);
  hostSaw = [];
  nowMs = 64_999;
  await captures.tick();
  expect(hostSaw).toEqual([]);
  nowMs = 65_000;
  await captures.tick();
  await captures.tick();
  expect(hostSaw).toEqual(['open']);
  expect(states('app')[0]).toEqual(crashing);
  captures.join('app', 'page-2');
  expect(states('app')[0]).toEqual({ kind: 'waiting' });
});

test("the app's window that keeps crashing is opened again at once when the user asks, and never for nothing", async () => {
  const [first, second] = [captures.order('app', camera), captures.order('app', camera)];
  const leave = captures.join('app', 'page-1');
  captures.giveUp();
  leave();
  hostSaw = [];
  captures.again(first);
  expect([hostSaw, states('app')]).toEqual([['open'], [{ kind: 'waiting' }, crashing]]);
  captures.giveUp();
  expect(states('app')).toEqual([crashing, crashing]);
  // Nobody uses them any more.
  nowMs = 70_000;
  await captures.tick();
  await captures.tick();
  expect([hostSaw, captures.find(second)]).toEqual([['open', 'close'], undefined]);
});

test("the app's window whose page doesn't come is closed, says so, and is opened again after a minute", async () => {
  broadcast.add(captures.order('app', camera));
  nowMs = 30_000;
  await captures.tick();
  expect([hostSaw, states('app')]).toEqual([['open', 'open'], [{ kind: 'waiting' }]]);
  hostSaw = [];
  nowMs = 30_001;
  await captures.tick();
  await captures.tick();
  const failed = { kind: 'failed', failure: { code: 'not-loaded' } };
  expect([hostSaw, states('app')]).toEqual([['close'], [failed]]);
  nowMs = 90_001;
  await captures.tick();
  nowMs = 120_001;
  await captures.tick();
  expect([hostSaw, states('app')]).toEqual([['close', 'open'], [failed]]);
  const leave = captures.join('app', 'page-1');
  expect(states('app')).toEqual([{ kind: 'waiting' }]);
  nowMs = 999_999;
  await captures.tick();
  leave();
  // Its page crashed, and is reloaded.
  await captures.tick();
  nowMs += 30_000;
  await captures.tick();
  expect([hostSaw.includes('close', 1), states('app')]).toEqual([false, [{ kind: 'waiting' }]]);
});

test("the app's window whose page is there stays open, however often more is ordered or asked for again", async () => {
  const order = () => {
    const captureId = captures.order('app', camera);
    broadcast.add(captureId);
    return captureId;
  };
  const report = (...attempts: [captureId: string, attempt: number][]) =>
    captures.report('app', 'page-1', {
      ...noDevices,
      captures: attempts.map(([captureId, attempt]) => ({ captureId, attempt, state: openCamera })),
    });
  const first = order();
  captures.join('app', 'page-1');
  report([first, 1]);
  nowMs = 60_000;
  await captures.tick();
  const second = order();
  captures.again(first);
  report([first, 2], [second, 1]);
  nowMs = 999_999;
  await captures.tick();
  expect([hostSaw.includes('close'), states('app')]).toEqual([false, [openCamera, openCamera]]);
});

test("the app's window that was closed by something else is opened again while it has captures", async () => {
  const captureId = captures.order('app', camera);
  captures.order('browser', camera);
  const leave = captures.join('app', 'page-1');
  broadcast.add(captureId);
  await captures.tick();
  expect(hostSaw).toEqual(['open']);
  leave();
  await captures.tick();
  expect(hostSaw).toEqual(['open', 'open']);
  captures.join('app', 'page-2');
  await captures.tick();
  expect(hostSaw).toEqual(['open', 'open']);
});

test("the app's screens are listed only where the service doesn't capture them itself", async () => {
  screens = [{ of: 'screen', id: 'screen:1:0', name: 'Screen 1' }];
  captures.hold([]);
  await captures.tick();
  expect(captures.at('app').devices).toEqual(screens);
  needsScreens = false;
  await captures.tick();
  expect(captures.at('app').devices).toEqual([]);
});

test('the app reports that the system refuses its screens for as long as it does, and nothing fails', async () => {
  let changes = 0;
  captures.changes.on(() => {
    changes += 1;
  });
  captures.hold([]);
  screens = 'refused';
  await captures.tick();
  await captures.tick();
  expect([captures.at('app').app, captures.at('app').devices, changes]).toEqual([
    { picker: 'list', hasSystemSound: true, areScreensRefused: true },
    [],
    1,
  ]);
  screens = [{ of: 'window', id: 'window:7:0', name: 'Paint' }];
  await captures.tick();
  expect([captures.at('app').app, captures.at('app').devices, changes]).toEqual([
    { picker: 'list', hasSystemSound: true },
    screens,
    2,
  ]);
});

test("the app's screens come and go while somebody looks, beside the devices its page names", async () => {
  let changes = 0;
  captures.changes.on(() => {
    changes += 1;
  });
  screens = [{ of: 'window', id: 'window:7:0', name: 'Paint' }];
  await captures.tick();
  expect(captures.at('app').devices).toEqual([]);
  captures.hold([]);
  await captures.tick();
  await captures.tick();
  expect(changes).toBe(1);
  captures.join('app', 'page-1');
  captures.report('app', 'page-1', { devices: [{ of: 'camera', id: 'c', name: 'Cam' }], captures: [] });
  expect(captures.at('app')).toEqual({
    captures: [],
    elsewhere: [],
    devices: [
      { of: 'camera', id: 'c', name: 'Cam' },
      { of: 'window', id: 'window:7:0', name: 'Paint' },
    ],
    app: { picker: 'list', hasSystemSound: true },
  });
  expect(captures.at('browser')).toEqual({ captures: [], elsewhere: [], devices: [] });
});

test('more captures than anyone needs are refused', () => {
  for (let count = 0; count < 32; count += 1) captures.order('browser', camera);
  expect(() => captures.order('browser', camera)).toThrow('Too many captures are open. Close a capture page.');
  expect(() => captures.order('app', camera)).toThrow('Too many captures are open. Choose fewer sources first.');
});

test("a screen learns of another place's captures that it asks for", () => {
  const [own, other] = [captures.order('browser', camera), captures.order('phone', camera)];
  captures.order('phone', screen);
  const { captures: here, elsewhere } = captures.at('browser', [own, other, 'gone']);
  expect(here.map(({ captureId }) => captureId)).toEqual([own]);
  expect(elsewhere).toEqual([{ captureId: other, place: 'phone', order: camera, attempt: 1, state: { kind: 'waiting' } }]);
});
