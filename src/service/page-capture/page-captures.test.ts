import { beforeEach, expect, test } from 'vitest';
import { openCamera } from '../../../test/support/open-camera.ts';
import { camera, noDevices, PageCaptureStand, screen } from '../../../test/support/page-capture-stand.ts';
import type { PageCaptureState } from '../../shared/model/page-capture.ts';

let stand: PageCaptureStand;
beforeEach(() => {
  stand = new PageCaptureStand();
});
const replaced = { kind: 'replaced' };
const works = (...orders: unknown[]) => ({ kind: 'works', captures: orders });

test('a page opens what was ordered, and after a reload opens it again', () => {
  const captureId = stand.captures.order('browser', camera);
  const leave = stand.captures.join('browser', 'page-1');
  expect(stand.captures.ordersFor('browser', 'page-1')).toEqual(
    works({ captureId, place: 'browser', order: camera, attempt: 1, state: { kind: 'waiting' } }),
  );
  stand.captures.report('browser', 'page-1', { ...noDevices, captures: [{ captureId, attempt: 1, state: openCamera }] });
  expect(stand.states('browser')).toEqual([openCamera]);
  leave();
  expect(stand.states('browser')).toEqual([{ kind: 'waiting' }]);
  stand.captures.join('browser', 'page-2');
  expect(stand.captures.ordersFor('browser', 'page-2')).toEqual(works(expect.objectContaining({ captureId })));
});

test('a page that joins again opens the same device as before, until the user tries again', () => {
  const captureId = stand.captures.order('browser', camera);
  const report = (pageId: string, attempt: number, state: PageCaptureState) =>
    stand.captures.report('browser', pageId, { ...noDevices, captures: [{ captureId, attempt, state }] });
  const ordered = (pageId: string) => {
    const orders = stand.captures.ordersFor('browser', pageId);
    return orders.kind === 'works' ? orders.captures.map(({ order }) => order) : [];
  };
  stand.captures.join('browser', 'page-1');
  report('page-1', 1, { ...openCamera, deviceId: 'a' });
  report('page-1', 1, { kind: 'failed', failure: { code: 'not-found' } });
  stand.captures.join('browser', 'page-2');
  expect(ordered('page-2')).toEqual([{ of: 'camera', deviceId: 'a' }]);
  expect(stand.captures.at('browser').captures[0]?.order).toEqual(camera);
  stand.captures.again(captureId);
  expect(ordered('page-2')).toEqual([camera]);
  report('page-2', 1, { ...openCamera, deviceId: 'a' });
  expect(ordered('page-2')).toEqual([camera]);
  report('page-2', 2, { ...openCamera, deviceId: 'b' });
  stand.captures.join('browser', 'page-3');
  expect(ordered('page-3')).toEqual([{ of: 'camera', deviceId: 'b' }]);
});

test('only the newest page of a place does the work, and places do not mix', () => {
  const captureId = stand.captures.order('browser', camera);
  const leaveFirst = stand.captures.join('browser', 'page-1');
  stand.captures.join('browser', 'page-2');
  stand.captures.join('phone', 'page-3');
  stand.captures.report('browser', 'page-1', { ...noDevices, captures: [{ captureId, attempt: 1, state: { kind: 'ended' } }] });
  stand.captures.report('phone', 'page-3', { ...noDevices, captures: [{ captureId, attempt: 1, state: { kind: 'ended' } }] });
  expect(stand.states('browser')).toEqual([{ kind: 'waiting' }]);
  expect(stand.captures.ordersFor('browser', 'page-1')).toEqual(replaced);
  expect(stand.captures.ordersFor('browser', 'page-2')).toEqual(works(expect.objectContaining({ captureId })));
  stand.captures.report('browser', 'page-2', { ...noDevices, captures: [{ captureId, attempt: 1, state: openCamera }] });
  leaveFirst();
  expect(stand.states('browser')).toEqual([openCamera]);
  expect(stand.hostSaw).toEqual([]);
});

test('when the newest page of a place closes, the one before takes over again', () => {
  const captureId = stand.captures.order('browser', camera);
  const own = { captureId, place: 'browser', order: camera, attempt: 1 };
  const cams = [{ of: 'camera' as const, id: 'c', name: 'Cam' }];
  const leaveFirst = stand.captures.join('browser', 'page-1');
  stand.captures.report('browser', 'page-1', { devices: cams, captures: [{ captureId, attempt: 1, state: openCamera }] });
  const leaveSecond = stand.captures.join('browser', 'page-2');
  const leaveThird = stand.captures.join('browser', 'page-3');
  stand.captures.report('browser', 'page-3', { ...noDevices, captures: [{ captureId, attempt: 1, state: openCamera }] });
  const orders = () => ['page-1', 'page-2', 'page-3'].map((pageId) => stand.captures.ordersFor('browser', pageId));
  leaveSecond();
  expect(orders()).toEqual([replaced, replaced, works({ ...own, state: openCamera })]);
  let changes = 0;
  stand.captures.changes.on(() => {
    changes += 1;
  });
  leaveThird();
  expect([orders(), changes]).toEqual([[works({ ...own, state: { kind: 'waiting' } }), replaced, replaced], 1]);
  expect(stand.captures.at('browser').devices).toEqual(cams);
  stand.captures.report('browser', 'page-1', { devices: cams, captures: [{ captureId, attempt: 1, state: openCamera }] });
  expect(stand.states('browser')).toEqual([openCamera]);
  leaveFirst();
  expect([stand.states('browser'), stand.captures.at('browser').devices]).toEqual([[{ kind: 'waiting' }], []]);
});

test('a lost connection of the page that is back never takes over', () => {
  const captureId = stand.captures.order('browser', camera);
  stand.captures.join('browser', 'page-1');
  const leaveLost = stand.captures.join('browser', 'page-2');
  const leave = stand.captures.join('browser', 'page-2');
  leave();
  expect(stand.captures.ordersFor('browser', 'page-1')).toEqual(works(expect.objectContaining({ captureId })));
  stand.captures.report('browser', 'page-1', { ...noDevices, captures: [{ captureId, attempt: 1, state: openCamera }] });
  leaveLost();
  expect(stand.states('browser')).toEqual([openCamera]);
});

test('a page that is back on a new connection keeps its captures when the old one is found to be lost', () => {
  const captureId = stand.captures.order('browser', camera);
  const leaveLost = stand.captures.join('browser', 'page-1');
  stand.captures.join('browser', 'page-1');
  stand.captures.report('browser', 'page-1', { ...noDevices, captures: [{ captureId, attempt: 1, state: openCamera }] });
  leaveLost();
  expect(stand.captures.ordersFor('browser', 'page-1')).toEqual(works(expect.objectContaining({ captureId })));
  expect(stand.states('browser')).toEqual([openCamera]);
});

test('an older page that loses its connection and joins again leaves the work to the newer one', () => {
  const captureId = stand.captures.order('browser', camera);
  const leave = stand.captures.join('browser', 'page-1');
  stand.captures.join('browser', 'page-2');
  stand.captures.report('browser', 'page-2', { ...noDevices, captures: [{ captureId, attempt: 1, state: openCamera }] });
  leave();
  stand.captures.join('browser', 'page-1');
  expect(stand.captures.ordersFor('browser', 'page-1')).toEqual(replaced);
  expect(stand.states('browser')).toEqual([openCamera]);
});

test('what the user has ended stays so when its page is reloaded, until it is asked for again', () => {
  const captureId = stand.captures.order('browser', camera);
  const leave = stand.captures.join('browser', 'page-1');
  stand.captures.report('browser', 'page-1', { ...noDevices, captures: [{ captureId, attempt: 1, state: { kind: 'ended' } }] });
  leave();
  stand.captures.join('browser', 'page-2');
  expect(stand.states('browser')).toEqual([{ kind: 'ended' }]);
  stand.captures.again(captureId);
  expect(stand.states('browser')).toEqual([{ kind: 'waiting' }]);
});

test('asked again, a late report on the first time is void', () => {
  const captureId = stand.captures.order('browser', screen);
  stand.captures.join('browser', 'page-1');
  stand.captures.report('browser', 'page-1', { ...noDevices, captures: [{ captureId, attempt: 1, state: { kind: 'ended' } }] });
  stand.captures.again(captureId);
  stand.captures.report('browser', 'page-1', { ...noDevices, captures: [{ captureId, attempt: 1, state: { kind: 'ended' } }] });
  expect(stand.captures.ordersFor('browser', 'page-1')).toEqual(
    works({ captureId, place: 'browser', order: screen, attempt: 2, state: { kind: 'waiting' } }),
  );
});

test("the app's screens are listed only where the service doesn't capture them itself", async () => {
  stand.screens = [{ of: 'screen', id: 'screen:1:0', name: 'Screen 1' }];
  stand.captures.hold([]);
  await stand.captures.tick();
  expect(stand.captures.at('app').devices).toEqual(stand.screens);
  stand.needsScreens = false;
  await stand.captures.tick();
  expect(stand.captures.at('app').devices).toEqual([]);
});

test('the app reports that the system refuses its screens for as long as it does, and nothing fails', async () => {
  let changes = 0;
  stand.captures.changes.on(() => {
    changes += 1;
  });
  stand.captures.hold([]);
  stand.screens = 'refused';
  await stand.captures.tick();
  await stand.captures.tick();
  expect([stand.captures.at('app').app, stand.captures.at('app').devices, changes]).toEqual([
    { picker: 'list', hasSystemSound: true, areScreensRefused: true },
    [],
    1,
  ]);
  stand.screens = [{ of: 'window', id: 'window:7:0', name: 'Paint' }];
  await stand.captures.tick();
  expect([stand.captures.at('app').app, stand.captures.at('app').devices, changes]).toEqual([
    { picker: 'list', hasSystemSound: true },
    stand.screens,
    2,
  ]);
});

test("the app's screens come and go while somebody looks, beside the devices its page names", async () => {
  let changes = 0;
  stand.captures.changes.on(() => {
    changes += 1;
  });
  stand.screens = [{ of: 'window', id: 'window:7:0', name: 'Paint' }];
  await stand.captures.tick();
  expect(stand.captures.at('app').devices).toEqual([]);
  stand.captures.hold([]);
  await stand.captures.tick();
  await stand.captures.tick();
  expect(changes).toBe(1);
  stand.captures.join('app', 'page-1');
  stand.captures.report('app', 'page-1', { devices: [{ of: 'camera', id: 'c', name: 'Cam' }], captures: [] });
  expect(stand.captures.at('app')).toEqual({
    captures: [],
    elsewhere: [],
    devices: [
      { of: 'camera', id: 'c', name: 'Cam' },
      { of: 'window', id: 'window:7:0', name: 'Paint' },
    ],
    app: { picker: 'list', hasSystemSound: true },
  });
  expect(stand.captures.at('browser')).toEqual({ captures: [], elsewhere: [], devices: [] });
});

test('more captures than anyone needs are refused', () => {
  for (let count = 0; count < 32; count += 1) stand.captures.order('browser', camera);
  expect(() => stand.captures.order('browser', camera)).toThrow('Too many captures are open. Close a capture page.');
  expect(() => stand.captures.order('app', camera)).toThrow('Too many captures are open. Choose fewer sources first.');
});

test("a screen learns of another place's captures that it asks for", () => {
  const [own, other] = [stand.captures.order('browser', camera), stand.captures.order('phone', camera)];
  stand.captures.order('phone', screen);
  const { captures: here, elsewhere } = stand.captures.at('browser', [own, other, 'gone']);
  expect(here.map(({ captureId }) => captureId)).toEqual([own]);
  expect(elsewhere).toEqual([{ captureId: other, place: 'phone', order: camera, attempt: 1, state: { kind: 'waiting' } }]);
});
