import { expect, test } from 'vitest';
import type { PageDevice } from '../../../shared/model/page-capture.ts';
import type { Source } from '../../../shared/model/source.ts';
import { findGone, replaceCapture } from './reopened-captures.ts';
import { fromSource } from './source-draft.ts';

const page = <Of extends string>(captureId: string, of: Of, place?: string) => ({
  kind: 'page' as const,
  captureId,
  of,
  name: of,
  ...(place !== undefined && { device: { place, id: `${of} id` } }),
});
const source = (main: Source['picture']['main'], ...sounds: Source['sound']['inputs'][number]['of'][]): Source => ({
  picture: { main, inset: { of: page('corner', 'camera', 'here'), corner: 'top-left', share: 0.2 } },
  sound: { inputs: sounds.map((of) => ({ of, levelDb: -3, isMuted: false })), limits: false },
});
const stage = ({ picker = 'asks' as 'asks' | 'list', devices = [] as PageDevice[], alive = [] as string[] } = {}) => ({
  place: 'here',
  devices,
  app: { picker, hasSystemSound: true },
  isGone: (captureId: string) => !alive.includes(captureId),
});

test('cameras and microphones of this place are opened again without a question, and what was shared asks', () => {
  const draft = fromSource(source(page('c', 'screen'), page('m', 'microphone', 'here'), page('s', 'system')));
  expect(findGone(draft, stage())).toEqual([
    { captureId: 'c', order: { of: 'screen', withSound: true }, asks: true },
    { captureId: 'corner', order: { of: 'camera', deviceId: 'camera id' }, asks: false },
    { captureId: 'm', order: { of: 'microphone', deviceId: 'microphone id' }, asks: false },
    { captureId: 's', order: { of: 'system' }, asks: true },
  ]);
  expect(findGone(draft, stage({ alive: ['c', 'm', 's'] })).map(({ captureId }) => captureId)).toEqual(['corner']);
});

test("another place's devices, which have other ids here, are asked for", () => {
  const draft = fromSource(source(page('c', 'camera', 'elsewhere'), page('m', 'microphone')));
  expect(findGone(draft, stage({ alive: ['corner'] }))).toEqual([
    { captureId: 'c', order: { of: 'camera' }, asks: true },
    { captureId: 'm', order: { of: 'microphone' }, asks: true },
  ]);
});

test('from our own list, the same screen is opened again while it is there, and its sound with it', () => {
  const draft = fromSource(source(page('c', 'window', 'here'), page('c', 'system')));
  const order = { of: 'screen', withSound: true };
  const window: PageDevice = { of: 'window', id: 'window id', name: 'window' };
  const alive = ['corner'];
  expect([
    findGone(draft, stage({ picker: 'list', devices: [window], alive })),
    findGone(draft, stage({ picker: 'list', devices: [{ ...window, name: 'Another' }], alive })),
    findGone(fromSource(source({ kind: 'test-picture' }, page('s', 'system'))), stage({ picker: 'list', alive })),
  ]).toEqual([
    [{ captureId: 'c', order: { ...order, deviceId: 'window id' }, asks: false }],
    [{ captureId: 'c', order, asks: true }],
    [{ captureId: 's', order: { of: 'system' }, asks: false }],
  ]);
});

test('another capture takes the place of one wherever it is used', () => {
  const before = source(page('c', 'screen'), page('c', 'system'), page('m', 'microphone', 'here'));
  const after = source(page('n', 'screen'), page('n', 'system'), page('m', 'microphone', 'here'));
  expect(replaceCapture(fromSource(before), 'c', 'n')).toEqual(fromSource(after));
});
