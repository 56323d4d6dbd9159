import { beforeEach, expect, test } from 'vitest';
import { openCamera } from '../../../test/support/open-camera.ts';
import { camera, noDevices, PageCaptureStand, screen } from '../../../test/support/page-capture-stand.ts';
import type { PageCaptureState } from '../../shared/model/page-capture.ts';
import type { PageCaptures } from './page-captures.ts';

let stand: PageCaptureStand;
let captures: PageCaptures;
beforeEach(() => {
  stand = new PageCaptureStand();
  ({ captures } = stand);
});
const states = (place: string) => stand.states(place);
const replaced = { kind: 'replaced' };
const works = (...orders: unknown[]) => ({ kind: 'works', captures: orders });

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
  expect(stand.hostSaw).toEqual([]);
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

test("the app's screens are listed only where the service doesn't capture them itself", async () => {
  stand.screens = [{ of: 'screen', id: 'screen:1:0', name: 'Screen 1' }];
  captures.hold([]);
  await captures.tick();
  expect(captures.at('app').devices).toEqual(stand.screens);
  stand.needsScreens = false;
  await captures.tick();
  expect(captures.at('app').devices).toEqual([]);
});

test('the app reports that the system refuses its screens for as long as it does, and nothing fails', async () => {
  let changes = 0;
  captures.changes.on(() => {
    changes += 1;
  });
  captures.hold([]);
  stand.screens = 'refused';
  await captures.tick();
  await captures.tick();
  expect([captures.at('app').app, captures.at('app').devices, changes]).toEqual([
    { picker: 'list', hasSystemSound: true, areScreensRefused: true },
    [],
    1,
  ]);
  stand.screens = [{ of: 'window', id: 'window:7:0', name: 'Paint' }];
  await captures.tick();
  expect([captures.at('app').app, captures.at('app').devices, changes]).toEqual([
    { picker: 'list', hasSystemSound: true },
    stand.screens,
    2,
  ]);
});

test("the app's screens come and go while somebody looks, beside the devices its page names", async () => {
  let changes = 0;
  captures.changes.on(() => {
    changes += 1;
  });
  stand.screens = [{ of: 'window', id: 'window:7:0', name: 'Paint' }];
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
