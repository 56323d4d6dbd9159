import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeRefusedProgram } from '../../../test/support/refused-program.ts';
import { runWithFewFiles } from '../../../test/support/run-with-few-files.ts';
import { findFfmpeg, findOtherFfmpegs } from './find-ffmpeg.ts';
import { listUsualFolders } from './usual-folders.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallylight-ffmpeg-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a program to folder `name` that answers `-version` as ffmpeg does. */
function writeProgram(name: string, script: string): string {
  const path = join(folder, name, 'ffmpeg');
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}
const sayVersion = (version: string) =>
  `[ "$1" = -version ] && echo "ffmpeg version ${version} Copyright (c) the FFmpeg developers"`;

test.skipIf(process.platform === 'win32')('TALLYLIGHT_FFMPEG comes before ffmpeg-static, which comes before PATH', async () => {
  const asked = writeProgram('asked', sayVersion('1.0'));
  const bundled = writeProgram('bundled', sayVersion('2.0'));
  const onPath = writeProgram('path', sayVersion('n3.0-5-gabc'));
  const PATH = join(folder, 'path');
  const findFfmpegStatic = () => bundled;

  expect(await findFfmpeg({ env: { TALLYLIGHT_FFMPEG: asked, PATH }, findFfmpegStatic })).toEqual({
    kind: 'found',
    path: asked,
    version: '1.0',
    from: 'TALLYLIGHT_FFMPEG',
  });
  expect(await findFfmpeg({ env: { PATH }, findFfmpegStatic })).toEqual({
    kind: 'found',
    path: bundled,
    version: '2.0',
    from: 'ffmpeg-static',
  });
  expect(await findFfmpeg({ env: { PATH }, findFfmpegStatic: () => undefined })).toEqual({
    kind: 'found',
    path: onPath,
    version: 'n3.0-5-gabc',
    from: 'PATH',
  });
});

test.skipIf(process.platform === 'win32')('an ffmpeg that does not run is skipped', async () => {
  const broken = writeProgram('broken', 'exit 1');
  writeProgram('other', 'echo something else');
  const good = writeProgram('good', sayVersion('7.1'));
  const PATH = [join(folder, 'other'), join(folder, 'absent'), join(folder, 'good')].join(delimiter);
  expect(await findFfmpeg({ env: { PATH }, findFfmpegStatic: () => broken })).toEqual({
    kind: 'found',
    path: good,
    version: '7.1',
    from: 'PATH',
  });
});

test.skipIf(process.platform !== 'linux')('an ffmpeg that the system refuses to run is skipped', async () => {
  const refused = writeRefusedProgram(join(folder, 'refused', 'ffmpeg'), sayVersion('6.0'));
  const good = writeProgram('good', sayVersion('7.1'));
  const PATH = ['refused', 'good'].map((name) => join(folder, name)).join(delimiter);
  const found = { kind: 'found', path: good, version: '7.1', from: 'PATH' };
  const search = { env: { PATH: join(folder, 'good') }, findFfmpegStatic: () => refused };
  expect(await findFfmpeg(search)).toEqual(found);
  expect(await findFfmpeg({ env: { PATH }, findFfmpegStatic: () => undefined })).toEqual(found);
  expect(await findFfmpeg({ env: { PATH, TALLYLIGHT_FFMPEG: refused } })).toEqual({
    kind: 'missing',
    reason: { code: 'unusable', path: refused },
  });
  const usual = writeProgram('usual', sayVersion('8.0'));
  expect(await findOtherFfmpegs(usual, { ...search, platform: 'linux' })).toEqual([{ path: good, version: '7.1' }]);
});

test.skipIf(process.platform === 'win32')('an ffmpeg that winget has just installed is found, with the old PATH', async () => {
  const env = { PATH: folder, LOCALAPPDATA: join(folder, 'local'), ProgramFiles: join(folder, 'programs') };
  const search = { env, platform: 'win32' as const, findFfmpegStatic: () => undefined };
  const forAll = writeProgram('programs/WinGet/Links', sayVersion('7.0'));
  expect(await findFfmpeg(search)).toMatchObject({ path: forAll, version: '7.0', from: 'usual-folder' });
  const inPackage = writeProgram('local/Microsoft/WinGet/Packages/Gyan.FFmpeg_source/ffmpeg-7.1/bin', sayVersion('7.1'));
  expect(await findFfmpeg(search)).toMatchObject({ path: inPackage, version: '7.1', from: 'usual-folder' });
  const linked = writeProgram('local/Microsoft/WinGet/Links', sayVersion('7.1'));
  expect(await findFfmpeg(search)).toMatchObject({ path: linked });
  expect(await findOtherFfmpegs(linked, search)).toEqual([
    { path: inPackage, version: '7.1' },
    { path: forAll, version: '7.0' },
  ]);
  const onPath = writeProgram('path', sayVersion('5.1'));
  expect(await findFfmpeg({ ...search, env: { ...env, PATH: join(folder, 'path') } })).toMatchObject({
    path: onPath,
    from: 'PATH',
  });
});

test("an app that the Finder has started looks in Homebrew's folders", () => {
  expect(listUsualFolders('darwin', {})).toEqual(['/opt/homebrew/bin', '/usr/local/bin']);
});

test('a TALLYLIGHT_FFMPEG that does not run is reported, even if another would run', async () => {
  writeProgram('path', sayVersion('7.1'));
  const asked = join(folder, 'nowhere');
  expect(await findFfmpeg({ env: { TALLYLIGHT_FFMPEG: asked, PATH: join(folder, 'path') } })).toEqual({
    kind: 'missing',
    reason: { code: 'unusable', path: asked },
  });
});

test('if there is none, the reason has the install command', async () => {
  const places = { env: { PATH: folder }, platform: 'linux' as const, findFfmpegStatic: () => undefined };
  expect(await findFfmpeg({ ...places, installCommand: 'brew install ffmpeg' })).toEqual({
    kind: 'missing',
    reason: { code: 'not-found', installCommand: 'brew install ffmpeg' },
  });
  expect(await findFfmpeg({ ...places, installCommand: undefined })).toEqual({
    kind: 'missing',
    reason: { code: 'not-found' },
  });
});

test.skipIf(process.platform === 'win32')("an ffmpeg that does not answer in time isn't called missing", async () => {
  const slow = writeProgram('slow', 'exec sleep 60');
  const places = { platform: 'linux' as const, findFfmpegStatic: () => undefined, answerWithinMs: 100 };
  const missing = { kind: 'missing', reason: { code: 'no-answer', path: slow, afterMs: 100 } };
  expect(await findFfmpeg({ ...places, env: { PATH: join(folder, 'slow') } })).toEqual(missing);
  expect(await findFfmpeg({ ...places, env: { TALLYLIGHT_FFMPEG: slow } })).toEqual(missing);
});

test.runIf(process.platform === 'linux')(
  "an ffmpeg that cannot be started for lack of files isn't called missing",
  async () => {
    const script = new URL('../../../test/support/find-ffmpeg-without-files.ts', import.meta.url);
    const env = { PATH: `${join(writeProgram('good', sayVersion('7.1')), '..')}:/bin` };
    expect(await runWithFewFiles(script, env)).toEqual({
      kind: 'missing',
      reason: { code: 'not-started', shortage: 'own-files' },
    });
  },
);

test.skipIf(process.platform === 'win32')(
  'the other ffmpegs: each file once, without the usual one and without those that do not run',
  async () => {
    const bundled = writeProgram('bundled', sayVersion('2.0'));
    const onPath = writeProgram('path', sayVersion('5.1'));
    writeProgram('broken', 'exit 1');
    symlinkSync(join(folder, 'path'), join(folder, 'link'));
    const PATH = ['broken', 'path', 'link'].map((name) => join(folder, name)).join(delimiter);
    const places = { env: { PATH }, platform: 'linux' as const, findFfmpegStatic: () => bundled };
    const [ofPackage, ofPath] = [
      { path: bundled, version: '2.0' },
      { path: onPath, version: '5.1' },
    ];
    expect(await findOtherFfmpegs(bundled, places)).toEqual([ofPath]);
    expect(await findOtherFfmpegs(join(folder, 'link', 'ffmpeg'), places)).toEqual([ofPackage]);
  },
);
