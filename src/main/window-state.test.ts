import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectPrivate } from '../../test/support/expect-private.ts';
import { measureFrame } from './window-frame.ts';
import { placeWindow, readWindowState, type WindowState, writeWindowState } from './window-state.ts';

const primary = { x: 0, y: 25, width: 1920, height: 1055 };
const second = { x: 1920, y: 0, width: 2560, height: 1440 };

const at = (x: number, y: number, width: number, height: number): WindowState => ({
  bounds: { x, y, width, height },
  maximized: false,
});

describe('placing the window', () => {
  /** With the usual minimum size. */
  const placed = (bounds: WindowState['bounds']) => ({ ...bounds, minWidth: 900, minHeight: 600 });

  test('the first time it is centred, at its default size', () => {
    expect(placeWindow(undefined, [primary])).toEqual(placed({ x: 320, y: 153, width: 1280, height: 800 }));
  });

  test('it opens where it was, on whichever display', () => {
    for (const state of [at(100, 80, 1000, 700), at(-840, 80, 1000, 700)]) {
      expect(placeWindow(state, [primary])).toEqual(placed(state.bounds));
    }
    const onSecond = at(2000, 10, 2400, 1300);
    expect(placeWindow(onSecond, [primary, second])).toEqual(placed(onSecond.bounds));
  });

  test.each([
    ['its display is gone', at(2000, 10, 1000, 700)],
    ['too little of it is left to drag', at(-841, 80, 1000, 700)],
    ['its title bar is above the display', at(100, 24, 1000, 700)],
    ['it is below the display', at(100, 1001, 1000, 700)],
  ])('it is centred when %s', (_why, state) => {
    expect(placeWindow(state, [primary])).toEqual(placed({ x: 460, y: 203, width: 1000, height: 700 }));
  });

  test('it is never larger than its display nor smaller than 900 × 600', () => {
    expect(placeWindow(at(0, 25, 4000, 3000), [primary])).toEqual(placed({ x: 0, y: 25, width: 1920, height: 1055 }));
    expect(placeWindow(at(10, 30, 300, 200), [primary])).toEqual(placed({ x: 10, y: 30, width: 900, height: 600 }));
  });

  test("on a smaller display, its minimum size leaves room for a window manager's frame", () => {
    const small = { x: 0, y: 20, width: 800, height: 560 };
    expect(placeWindow(undefined, [small])).toEqual({ ...small, minWidth: 784, minHeight: 512 });
    const exact = { x: 0, y: 0, width: 900, height: 600 };
    expect(placeWindow(undefined, [exact])).toEqual({ ...exact, minWidth: 884, minHeight: 552 });
  });
});

describe('the frame of a window manager', () => {
  test.each([
    ['is the offset right and down from what was asked', { x: 101, y: 108 }, { x: 1, y: 28 }],
    ['is zero where it is as asked', { x: 100, y: 80 }, { x: 0, y: 0 }],
    ['is zero where the manager put it elsewhere', { x: 0, y: 0 }, { x: 0, y: 0 }],
    ['is zero where it is much further down', { x: 100, y: 300 }, { x: 0, y: 0 }],
  ])('%s', (_how, found, frame) => {
    const size = { width: 1000, height: 700 };
    expect(measureFrame({ x: 100, y: 80, ...size }, { ...found, ...size })).toEqual(frame);
  });
});

describe('the remembered state', () => {
  const fail = (error: unknown) => {
    throw error;
  };
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'window-state-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('is read back as written, from a file readable by the user only', () => {
    const path = join(folder, 'window.json');
    const state = { bounds: { x: 1, y: 2, width: 1000, height: 700 }, maximized: true };
    writeWindowState(path, at(5, 5, 900, 600), fail);
    writeWindowState(path, state, fail);
    expect(readWindowState(path, fail)).toEqual(state);
    expect(readdirSync(folder)).toEqual(['window.json']);
    expectPrivate(path);
  });

  test.each(['', '{', '[]', '{"bounds":{"x":"1"},"maximized":true}', '{"bounds":{"x":0.5,"y":0,"width":1,"height":1}}'])(
    'is dropped and reported when the file contains %j',
    (text) => {
      const path = join(folder, 'window.json');
      writeFileSync(path, text);
      const trouble: unknown[] = [];
      expect(readWindowState(path, (error) => trouble.push(error))).toBeUndefined();
      expect(trouble).toHaveLength(1);
    },
  );

  test('is absent the first time', () => {
    expect(readWindowState(join(folder, 'missing.json'), fail)).toBeUndefined();
  });

  test('is reported when it cannot be written or read, without throwing', () => {
    const trouble: string[] = [];
    const tell = (error: unknown) => trouble.push((error as NodeJS.ErrnoException).code ?? '');
    writeWindowState(join(folder, 'gone', 'window.json'), at(5, 5, 900, 600), tell);
    expect(readWindowState(folder, tell)).toBeUndefined();
    expect(trouble).toEqual(['ENOENT', 'EISDIR']);
  });
});
