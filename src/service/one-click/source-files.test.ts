import { expect, test } from 'vitest';
import { loopedFile } from '../../../test/support/looped-file.ts';
import { type Source, testSource } from '../../shared/model/source.ts';
import { SourceFiles } from './source-files.ts';

const playlist = (...paths: string[]): Source => ({
  ...testSource,
  picture: { main: { kind: 'files', paths, loops: true } },
});

test('files that are there pass, and the first that is not is named', async () => {
  const files = new SourceFiles();
  const here = import.meta.filename;
  await files.check(playlist(here, here));
  await expect(files.check(playlist(here, '/nowhere/a.mp4', '/nowhere/b.mp4'))).rejects.toMatchObject({
    code: 'SOURCE_FAILED',
    details: { pathFault: { code: 'gone', of: 'file', path: '/nowhere/a.mp4' } },
  });
  const folder = import.meta.dirname;
  await expect(files.check(loopedFile(folder))).rejects.toMatchObject({
    code: 'SOURCE_FAILED',
    details: { pathFault: { code: 'not-a-file', of: 'file', path: folder } },
  });
  const music: Source = {
    ...playlist(here),
    sound: {
      inputs: [{ of: { kind: 'files', paths: ['/nowhere/a.mp3'], loops: true }, levelDb: 0, isMuted: false }],
      limits: false,
    },
  };
  await expect(files.check(music)).rejects.toMatchObject({ details: { pathFault: { path: '/nowhere/a.mp3' } } });
});

test('what the source on air has as well is not looked at, unless that source is chosen again', async () => {
  const asked: string[] = [];
  const files = new SourceFiles(async (path) => {
    asked.push(path);
    throw Object.assign(new Error(), { code: 'ENOENT' });
  });
  const onAir = playlist('/a.mp4', '/b.mp4');
  await files.check({ ...onAir, sound: { ...onAir.sound, limits: true } }, onAir);
  expect(asked).toEqual([]);
  const gone = (path: string) => ({ details: { pathFault: { code: 'gone', of: 'file', path } } });
  await expect(files.check(playlist('/b.mp4', '/c.mp4'), onAir)).rejects.toMatchObject(gone('/c.mp4'));
  await expect(files.check(structuredClone(onAir), onAir)).rejects.toMatchObject(gone('/a.mp4'));
});

test.each([
  ['ENOENT', 'gone'],
  ['ENOTDIR', 'gone'],
  ['ENAMETOOLONG', 'gone'],
  ['EACCES', 'unreadable'],
  ['EPERM', 'unreadable'],
  ['EIO', 'unreadable'],
])('after %s a file is %s', async (system, code) => {
  const cause = Object.assign(new Error(), { code: system });
  await expect(new SourceFiles(() => Promise.reject(cause)).check(playlist('/a.mp4'))).rejects.toMatchObject({
    code: 'SOURCE_FAILED',
    details: { pathFault: { code, of: 'file', path: '/a.mp4' } },
    cause,
  });
});

test('a drive that does not answer is an error, and is asked once however often the source is tried', async () => {
  const asked: string[] = [];
  const hangs = (path: string) => {
    asked.push(path);
    return new Promise<never>(() => {});
  };
  const files = new SourceFiles(hangs, 5);
  const pathFault = { code: 'drive-silent', of: 'file', path: '/net/a.mp4' };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const check = files.check(playlist('/net/a.mp4', '/net/b.mp4'));
    await expect(check).rejects.toMatchObject({ code: 'SOURCE_FAILED', details: { pathFault } });
  }
  expect(asked).toEqual(['/net/a.mp4']);
});
