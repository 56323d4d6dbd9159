import { expect, test } from 'vitest';
import { openCamera } from '../../../test/support/open-camera.ts';
import type { PageCapture } from '../../shared/model/page-capture.ts';
import { explainAbsence } from './explain-absence.ts';

type Of = PageCapture['order']['of'];

test.each<[why: string, place: string, of: Of, state: PageCapture['state'], code: string]>([
  ['the capture tab is closed', 'browser', 'camera', { kind: 'waiting' }, 'page-closed'],
  ["the app's window is opened again", 'app', 'camera', { kind: 'waiting' }, 'reopening'],
  ["the app's window keeps crashing", 'app', 'camera', { kind: 'failed', failure: { code: 'crashing' } }, 'crashing'],
  ["the app's window doesn't load", 'app', 'camera', { kind: 'failed', failure: { code: 'not-loaded' } }, 'not-loaded'],
  ['a screen waits for a press in the tab', 'browser', 'screen', { kind: 'asking' }, 'asking'],
  ['a camera asks', 'browser', 'camera', { kind: 'asking' }, 'reopening'],
  ['the app asks which screen', 'app', 'screen', { kind: 'asking' }, 'asking'],
  ['the user ended it', 'app', 'screen', { kind: 'ended' }, 'share-ended'],
  ['a camera was unplugged', 'app', 'camera', { kind: 'failed', failure: { code: 'not-found' } }, 'gone'],
  ['another program took it', 'browser', 'microphone', { kind: 'failed', failure: { code: 'in-use' } }, 'in-use'],
  ['its window closed before it opened', 'app', 'screen', { kind: 'failed', failure: { code: 'not-opened' } }, 'not-opened'],
  ['it was refused', 'browser', 'microphone', { kind: 'failed', failure: { code: 'refused' } }, 'refused'],
  ['it sends nothing', 'app', 'camera', { kind: 'failed', failure: { code: 'stuck' } }, 'stuck'],
  ['the page came over HTTP', 'browser', 'camera', { kind: 'failed', failure: { code: 'insecure' } }, 'unsupported'],
  ['its socket is opened again', 'browser', 'camera', openCamera, 'reopening'],
])('%s', (_why, place, of, state, code) => {
  expect(explainAbsence({ place, order: { of }, state })).toEqual({ code });
});

test('a track that has ended is a device that is gone, or a screen that is no longer shared', () => {
  const ended = (of: Of) => explainAbsence({ place: 'browser', order: { of }, state: openCamera }, true);
  expect([ended('camera'), ended('microphone'), ended('screen'), ended('system')].map(({ code }) => code)).toEqual([
    'gone',
    'gone',
    'share-ended',
    'share-ended',
  ]);
  expect(explainAbsence(undefined)).toEqual({ code: 'share-ended' });
  expect(
    explainAbsence({
      place: 'app',
      order: { of: 'camera' },
      state: { kind: 'failed', failure: { code: 'broken', detail: 'E' } },
    }),
  ).toEqual({ code: 'failed', detail: 'E' });
});
