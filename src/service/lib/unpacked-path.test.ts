import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFfmpeg } from '../media-tools/find-ffmpeg.ts';
import { findResource } from './find-resource.ts';
import { unpackedPath } from './unpacked-path.ts';

/** A packed app's `resources` folder as Electron shows it: the content of `app.asar` looks like files. */
let root: string;
const inPackage = (...path: string[]) => join(root, 'app.asar', ...path);
const outside = (...path: string[]) => join(root, 'app.asar.unpacked', ...path);
const font = ['resources', 'fonts', 'clock.ttf'];
const ffmpeg = ['node_modules', 'ffmpeg-static', 'ffmpeg'];

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'packed-'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  write(inPackage('out', 'main', 'index.js'), '');
  write(inPackage('resources', 'icon.png'), '');
  for (const path of [font, ffmpeg]) write(inPackage(...path), '');
  write(outside(...font), '');
  // Files inside the package cannot be executed, files outside can.
  write(outside(...ffmpeg), '#!/bin/sh\necho ffmpeg version 9.9 Copyright\n');
  chmodSync(outside(...ffmpeg), 0o755);
});
afterAll(() => rmSync(root, { recursive: true }));

test('in a package, files for other programs are found beside app.asar', () => {
  expect(findResource('fonts/clock.ttf', inPackage('out', 'main'))).toBe(outside(...font));
  expect(unpackedPath(inPackage(...ffmpeg))).toBe(outside(...ffmpeg));
});

test('files that only the app reads keep their path, and so does everything outside a package', () => {
  expect(findResource('icon.png', inPackage('out', 'main'))).toBe(inPackage('resources', 'icon.png'));
  expect(unpackedPath('/usr/bin/ffmpeg')).toBe('/usr/bin/ffmpeg');
  expect(unpackedPath(outside(...ffmpeg))).toBe(outside(...ffmpeg));
});

test.skipIf(process.platform === 'win32')('a packaged ffmpeg is started from beside app.asar', async () => {
  expect(await findFfmpeg({ env: {}, findFfmpegStatic: () => inPackage(...ffmpeg) })).toEqual({
    kind: 'found',
    path: outside(...ffmpeg),
    version: '9.9',
    from: 'ffmpeg-static',
  });
});
