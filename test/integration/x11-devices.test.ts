import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openXConnection } from '../../src/service/capture/devices/x11/x-connection.ts';
import { findAtom } from '../../src/service/capture/devices/x11/x-requests.ts';
import { listX11Devices } from '../../src/service/capture/devices/x11/x11-devices.ts';
import { parseWindowId } from '../../src/shared/model/device-id.ts';
import type { Source } from '../../src/shared/model/source.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openXPainter, type XPainter } from '../support/x-painter.ts';
import { startX11Display, type X11Display } from '../support/x11-display.ts';

const size = { width: 320, height: 180 };

describe.skipIf(process.platform !== 'linux')('the windows of an X11 display', () => {
  let stage: Awaited<ReturnType<typeof startTestService>>;
  let display: X11Display;
  let painter: XPainter;
  let wmState: number;
  beforeAll(async () => {
    display = await startX11Display('640x360');
    painter = await openXPainter(display.name);
    using x = await openXConnection(display.name);
    wmState = await findAtom(x, 'WM_STATE');
    vi.stubEnv('DISPLAY', display.name);
    vi.stubEnv('WAYLAND_DISPLAY', undefined);
    stage = await startTestService({ awaitEncoders: false });
  });
  afterAll(async () => {
    await stage.close();
    painter[Symbol.dispose]();
    await display[Symbol.asyncDispose]();
    vi.unstubAllEnvs();
  });
  const shown: AsyncDisposable[] = [];
  const path = process.env.PATH;
  afterEach(async () => {
    vi.stubEnv('PATH', path);
    for (const program of shown.splice(0)) await program[Symbol.asyncDispose]();
  });

  const play = (title: string) => {
    const program = display.play(title, size);
    shown.push(program);
    return program;
  };
  const findWindow = async (title: string) => {
    const { windows } = await waitUntil(await stage.app.source.watchDevices(), (list) =>
      list.windows.some(({ name }) => name === title),
    );
    return windows.find(({ name }) => name === title)!;
  };
  const sourceOf = ({ id, name }: { id: string; name: string }): Source => ({
    picture: { main: { kind: 'window', device: { id, name } } },
    sound: { inputs: [], limits: false },
  });

  test('are listed without any program that lists them: by title and program, with their sizes, without hidden helpers', async () => {
    const programClass = 'Drawing';
    painter.createWindow({ title: 'Helper', programClass, ...size });
    painter.map(painter.createWindow({ title: 'Menu', programClass, width: 40, height: 200 }));
    const tool = painter.createWindow({ title: 'Tool', programClass, ...size });
    painter.map(tool);
    const id = `0x${tool.toString(16)} Drawing`;
    await findWindow('Tool');
    vi.stubEnv('PATH', '');
    const listed = await listX11Devices(display.name);
    painter.unmap(tool);
    expect(listed).toEqual({
      screens: [{ id: display.name, name: 'Whole screen, 640 × 360', width: 640, height: 360 }],
      furtherScreens: [{ id: `${display.name}@screen 640x360+0,0`, name: 'screen, 640 × 360', width: 640, height: 360 }],
      windows: [{ id, name: 'Tool', ...size }],
    });
  });

  test('a display that cannot be reached lists nothing, but can be captured as a whole', async () => {
    expect(await listX11Devices(':4711')).toEqual({
      screens: undefined,
      windows: undefined,
      assumedScreens: [{ id: ':4711', name: 'Whole screen' }],
    });
  });

  test('one is captured; minimised, closed and opened again, it is named and taken back', async () => {
    const first = play('Slides');
    const window = await findWindow('Slides');
    expect(window).toMatchObject(size);
    const previews = await stage.app.source.watchPreview({ source: sourceOf(window) });
    const shows = await waitUntil(previews, ({ jpeg, away }) => jpeg !== undefined && away.length === 0);
    expect(shows.away).toEqual([]);
    const told = async (code: string) =>
      waitUntil(await stage.app.source.watchPreview({ source: sourceOf(window) }), ({ away }) => away[0]?.fault.code === code);
    const { window: number } = parseWindowId(window.id)!;
    painter.setState(number, wmState, 'iconic');
    painter.unmap(number);
    await told('hidden');
    painter.setState(number, wmState, 'normal');
    painter.map(number);
    await waitUntil(await stage.app.source.watchPreview({ source: sourceOf(window) }), ({ away }) => away.length === 0);
    await first[Symbol.asyncDispose]();
    await told('gone');
    // The server gives a new program the numbers of one that has ended.
    for (;;) {
      const other = play('Other');
      if (parseWindowId((await findWindow('Other')).id)?.window === number) break;
      // A look at the devices was connected at that moment, and had the lowest free numbers.
      await other[Symbol.asyncDispose]();
      await waitUntil(await stage.app.source.watchDevices(), ({ windows }) => !windows.some(({ name }) => name === 'Other'));
    }
    await told('gone');
    play('Slides');
    await waitUntil(await stage.app.source.watchPreview({ source: sourceOf(window) }), ({ away }) => away.length === 0);
    expect((await findWindow('Slides')).id).not.toBe(window.id);
  });
});
