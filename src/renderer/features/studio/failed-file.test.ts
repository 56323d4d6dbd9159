import { expect, test } from 'vitest';
import { loopedFile } from '../../../../test/support/looped-file.ts';
import type { OneClickFailure } from '../../../shared/model/one-click-failure.ts';
import { removeFailedFiles } from './failed-file.ts';
import type { PictureDraft } from './source-draft.ts';

const files: PictureDraft = { kind: 'files', paths: ['/a.mp4', '/b.mp4'], loops: false, startAt: '1:30' };
const still = { kind: 'still', path: '/a.png' } as const;
const unreadable: OneClickFailure = { code: 'file-unreadable' };

/** The picture chosen now, after one from `/a.mp4` or `/a.png` has failed. */
function remove(now: PictureDraft, failure: OneClickFailure, failed: 'files' | 'still') {
  const { picture, sound } = loopedFile('/a.mp4');
  return removeFailedFiles(now, { failure, source: { picture: failed === 'still' ? { main: still } : picture, sound } });
}

test('a file that failed makes way for another one, with everything else as chosen', () => {
  const codes = ['no-video-track', 'file-gone', 'file-forbidden', 'file-is-folder', 'file-unreadable'] as const;
  for (const code of codes) {
    expect(remove(files, { code }, 'files')).toEqual({ ...files, paths: ['/b.mp4'] });
    expect(remove(still, { code }, 'still')).toEqual({ kind: 'still', path: '' });
  }
});

test('no other failure is mended by another file', () => {
  const failures: OneClickFailure[] = [{ code: 'out-of-memory' }, { code: 'exited', exitCode: 1 }, { code: 'key-refused' }];
  for (const failure of failures) {
    expect(remove(files, failure, 'files')).toBeUndefined();
    expect(remove(still, failure, 'still')).toBeUndefined();
  }
});

test('a picture of another kind that was chosen since has no failed file', () => {
  expect(remove(still, unreadable, 'files')).toBeUndefined();
  expect(remove(files, unreadable, 'still')).toBeUndefined();
  expect(remove({ kind: 'test-picture' }, unreadable, 'files')).toBeUndefined();
});

test('files that were chosen since the failure stay, and need no button once the failed one is gone', () => {
  const pasted: PictureDraft = { ...files, paths: [' "/a.mp4"', '/c.mp4'] };
  expect(remove(pasted, unreadable, 'files')).toEqual({ ...files, paths: ['/c.mp4'] });
  expect(remove({ ...files, paths: ['/c.mp4'] }, unreadable, 'files')).toBeUndefined();
  expect(remove({ kind: 'still', path: '/b.png' }, unreadable, 'still')).toBeUndefined();
});
