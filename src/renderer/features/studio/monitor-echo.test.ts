import { expect, test } from 'vitest';
import { openCamera } from '../../../../test/support/open-camera.ts';
import type { PageCapture, PageCaptureState } from '../../../shared/model/page-capture.ts';
import { type SoundSource, testSource } from '../../../shared/model/source.ts';
import { listPlayedSounds, mayEcho } from './monitor-echo.ts';

const device: SoundSource = { kind: 'system', device: { id: 'speakers.monitor', name: 'Speakers' } };
const shared: SoundSource = { kind: 'page', captureId: 'c', of: 'system', name: 'System sound' };
const microphone: SoundSource = { kind: 'page', captureId: 'm', of: 'microphone', name: 'Røde' };

test('of a broadcast from here, the sounds that a computer plays are listed, unless they are muted', () => {
  const inputs = [device, shared, microphone].map((of) => ({ of, levelDb: 0, isMuted: false }));
  const source = {
    ...testSource,
    sound: { limits: false, inputs: [...inputs, { of: { ...shared, captureId: 'd' }, levelDb: 0, isMuted: true }] },
  };
  const running = { kind: 'starting', source, encode: { kind: 'automatic' }, since: 0 } as const;
  expect(listPlayedSounds(running)).toEqual([device, shared]);
  expect(listPlayedSounds({ kind: 'idle' })).toEqual([]);
  expect(listPlayedSounds({ ...running, source: testSource })).toEqual([]);
});

const open: PageCaptureState = { ...openCamera, of: 'system' };

/** A capture of what a computer plays. */
function capture(state: PageCaptureState, place = 'here'): PageCapture {
  return { captureId: 'c', place, order: { of: 'system' }, attempt: 1, state };
}

test.each<[what: string, of: SoundSource, page: { isBesideService?: boolean; found?: PageCapture }, expected: boolean]>([
  ['what the computer of this page plays', device, { isBesideService: true }, true],
  ['what another computer plays', device, {}, false],
  ['all that this computer plays, captured by this browser', shared, { found: capture({ ...open, hearsMonitor: true }) }, true],
  ['only what a tab plays', shared, { found: capture(open) }, false],
  ['what a browser elsewhere captures', shared, { found: capture({ ...open, hearsMonitor: true }, 'elsewhere') }, false],
  ['what is no longer shared', shared, { found: capture({ kind: 'ended' }) }, false],
  ['what nobody captures any more', shared, {}, false],
])('whether a monitor may be heard again in %s', (_what, of, { isBesideService = false, found }, expected) => {
  expect(mayEcho([of], { isBesideService, place: 'here', find: () => found })).toBe(expected);
});
