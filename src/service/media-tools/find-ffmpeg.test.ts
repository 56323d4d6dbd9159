import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findFfmpeg, findOtherFfmpegs } from './find-ffmpeg.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallylight-ffmpeg-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a program to folder `name` that answers `-version` as ffmpeg does. */
function writeProgram(name: string, script: string): string {
  const path = join(folder, name, 'ffmpeg');
  mkdirSync(join(folder, name));
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

test('a TALLYLIGHT_FFMPEG that does not run is reported, even if another would run', async () => {
  writeProgram('path', sayVersion('7.1'));
  const asked = join(folder, 'nowhere');
  expect(await findFfmpeg({ env: { TALLYLIGHT_FFMPEG: asked, PATH: join(folder, 'path') } })).toEqual({
    kind: 'missing',
    reason: { code: 'unusable', path: asked },
  });
});

test('if there is none, the reason has the install command', async () => {
  const places = { env: { PATH: folder }, findFfmpegStatic: () => undefined };
  expect(await findFfmpeg({ ...places, installCommand: 'brew install ffmpeg' })).toEqual({
    kind: 'missing',
    reason: { code: 'not-found', installCommand: 'brew install ffmpeg' },
  });
  expect(await findFfmpeg({ ...places, installCommand: undefined })).toEqual({
    kind: 'missing',
    reason: { code: 'not-found' },
  });
});

test.skipIf(process.platform === 'win32')(
  'the other ffmpegs: each file once, without the usual one and without those that do not run',
  async () => {
    const bundled = writeProgram('bundled', sayVersion('2.0'));
    const onPath = writeProgram('path', sayVersion('5.1'));
    writeProgram('broken', 'exit 1');
    symlinkSync(join(folder, 'path'), join(folder, 'link'));
    const PATH = ['broken', 'path', 'link'].map((name) => join(folder, name)).join(delimiter);
    const places = { env: { PATH }, findFfmpegStatic: () => bundled };
    const [ofPackage, ofPath] = [
      { path: bundled, version: '2.0' },
      { path: onPath, version: '5.1' },
    ];
    expect(await findOtherFfmpegs(bundled, places)).toEqual([ofPath]);
    expect(await findOtherFfmpegs(join(folder, 'link', 'ffmpeg'), places)).toEqual([ofPackage]);
  },
);
