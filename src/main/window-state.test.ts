import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { placeWindow, readWindowState, type WindowState, writeWindowState } from './window-state.ts';

const primary = { x: 0, y: 25, width: 1920, height: 1055 };
const second = { x: 1920, y: 0, width: 2560, height: 1440 };

const at = (x: number, y: number, width: number, height: number): WindowState => ({
  bounds: { x, y, width, height },
  maximized: false,
});

describe('placing the window', () => {
  test('the first time it is centred at its default size', () => {
    expect(placeWindow(undefined, [primary])).toEqual({ width: 1280, height: 800 });
  });

  test('it opens where it was, on whichever display', () => {
    expect(placeWindow(at(100, 80, 1000, 700), [primary])).toEqual({ x: 100, y: 80, width: 1000, height: 700 });
    expect(placeWindow(at(2000, 10, 2400, 1300), [primary, second])).toEqual({ x: 2000, y: 10, width: 2400, height: 1300 });
    expect(placeWindow(at(-840, 80, 1000, 700), [primary])).toEqual({ x: -840, y: 80, width: 1000, height: 700 });
  });

  test.each([
    ['its display is gone', at(2000, 10, 1000, 700), { width: 1000, height: 700 }],
    ['too little of it is left to drag', at(-841, 80, 1000, 700), { width: 1000, height: 700 }],
    ['its title bar is above the display', at(100, 24, 1000, 700), { width: 1000, height: 700 }],
    ['it is below the display', at(100, 1001, 1000, 700), { width: 1000, height: 700 }],
  ])('it is centred when %s', (_why, state, placed) => {
    expect(placeWindow(state, [primary])).toEqual(placed);
  });

  test('it is never larger than its display nor smaller than 900 × 600', () => {
    expect(placeWindow(at(0, 25, 4000, 3000), [primary])).toEqual({ x: 0, y: 25, width: 1920, height: 1055 });
    expect(placeWindow(at(10, 30, 300, 200), [primary])).toEqual({ x: 10, y: 30, width: 900, height: 600 });
    expect(placeWindow(undefined, [{ x: 0, y: 0, width: 1024, height: 560 }])).toEqual({ width: 1024, height: 600 });
  });
});

describe('the remembered state', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'window-state-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('is read back as it was written, from a file of the user alone', () => {
    const path = join(folder, 'window.json');
    const state = { bounds: { x: 1, y: 2, width: 1000, height: 700 }, maximized: true };
    writeWindowState(path, at(5, 5, 900, 600));
    writeWindowState(path, state);
    expect(readWindowState(path)).toEqual(state);
    expect(readdirSync(folder)).toEqual(['window.json']);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test.each(['', '{', '[]', '{"bounds":{"x":"1"},"maximized":true}', '{"bounds":{"x":0.5,"y":0,"width":1,"height":1}}'])(
    'is forgotten when the file says %j',
    (text) => {
      const path = join(folder, 'window.json');
      writeFileSync(path, text);
      expect(readWindowState(path)).toBeUndefined();
    },
  );

  test('is nothing the first time', () => {
    expect(readWindowState(join(folder, 'missing.json'))).toBeUndefined();
  });
});
