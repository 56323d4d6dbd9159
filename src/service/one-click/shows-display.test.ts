import { expect, test } from 'vitest';
import type { OneClickState } from '../../shared/model/live.ts';
import { type PictureSource, testSource } from '../../shared/model/source.ts';
import { showsDisplay } from './shows-display.ts';

const device = { id: '1', name: 'Any' };
const screen: PictureSource = { kind: 'screen', device };
const camera: PictureSource = { kind: 'camera', device };
const ofPage = (of: 'screen' | 'window' | 'camera'): PictureSource => ({ kind: 'page', captureId: 'c', name: 'Any', of });

function starting(main: PictureSource, inset?: PictureSource): OneClickState {
  const picture = { main, ...(inset && { inset: { of: inset, corner: 'top-left' as const, share: 0.25 } }) };
  return { kind: 'starting', source: { ...testSource, picture }, encode: { kind: 'automatic' }, since: 0 };
}

test.each<[string, OneClickState, boolean]>([
  ['a screen', starting(screen), true],
  ['a window', starting({ kind: 'window', device }), true],
  ['a screen that a page captures', starting(ofPage('screen')), true],
  ['a window that a page captures', starting(ofPage('window')), true],
  ['a screen in the corner of a camera', starting(camera, screen), true],
  ['a camera in the corner of the test picture', starting({ kind: 'test-picture' }, camera), false],
  ['a camera that a page captures', starting(ofPage('camera')), false],
  ['nothing, since it is idle', { kind: 'idle' }, false],
  ['nothing any more, since it failed', { ...starting(screen), kind: 'failed' } as OneClickState, false],
])('a broadcast that shows %s', (_what, oneClick, expected) => {
  expect(showsDisplay(oneClick)).toBe(expected);
});
