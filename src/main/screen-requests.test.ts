import type * as Electron from 'electron';
import { expect, test } from 'vitest';
import { createTestLog } from '../../test/support/store-stand.ts';
import type { PageDevice, ScreenPicker } from '../shared/model/page-capture.ts';
import { answerScreenRequests } from './screen-requests.ts';

type Handler = NonNullable<Parameters<Electron.Session['setDisplayMediaRequestHandler']>[0]>;

const ownFrame = {} as Electron.WebFrameMain;

/** The user's choice in the system's window. */
const pickedBySystem = { video: { id: 'window:-4:-1', name: '' } };

interface StageOptions {
  picker: ScreenPicker;
  hasSystemSound?: boolean;
  /** Whether Electron has the system's picker, as on macOS 15. */
  hasSystemPicker?: boolean;
  isRefused?: boolean;
  screens?: PageDevice[];
}

/** The app's answers to requests of its capture page, or of another. */
function open(stage: StageOptions) {
  const { picker, hasSystemSound = false, hasSystemPicker = false, isRefused = false, screens = [] } = stage;
  let handler: Handler | undefined;
  let options: Electron.DisplayMediaRequestHandlerOpts | undefined;
  const session = {
    setDisplayMediaRequestHandler: (given: Handler, opts: Electron.DisplayMediaRequestHandlerOpts) => {
      handler = given;
      options = opts;
    },
  } as unknown as Electron.Session;
  const { log, lines } = createTestLog();
  const requests = answerScreenRequests({
    session,
    picker,
    hasSystemSound,
    isOwn: (frame) => frame === ownFrame,
    areScreensRefused: () => isRefused,
    listScreens: async () => screens,
    log,
  });
  const ask = async (frame: Electron.WebFrameMain | null = ownFrame, audioRequested = true) => {
    const request = { frame, securityOrigin: 'tallylight://app', videoRequested: true, audioRequested, userGesture: true };
    // "If the system picker is available and `useSystemPicker` is set to `true`, the handler will not be invoked": it shares no sound.
    if (hasSystemPicker && options?.useSystemPicker) return pickedBySystem;
    return new Promise<Electron.Streams | null>((resolve) => {
      handler?.(request, resolve);
    });
  };
  return { ...requests, ask, usesSystemPicker: options?.useSystemPicker, logged: () => lines.map(({ msg }) => msg) };
}

test("on Wayland each capture has a source of our own making, and keeps it for the portal's restore token", async () => {
  const { expect: await_, ask, usesSystemPicker } = open({ picker: 'asks' });
  const answers: unknown[] = [];
  for (const captureId of ['first', 'second', 'first']) {
    await_(captureId, { of: 'screen' });
    answers.push(await ask());
  }
  expect(answers).toEqual([
    { video: { id: 'screen:1:0', name: 'Screen' } },
    { video: { id: 'screen:2:0', name: 'Screen' } },
    { video: { id: 'screen:1:0', name: 'Screen' } },
  ]);
  expect(usesSystemPicker).toBe(true);
});

test('from a list, the chosen screen is given, with what the computer plays if it was asked for', async () => {
  const { expect: await_, ask, usesSystemPicker } = open({ picker: 'list', hasSystemSound: true });
  await_('first', { of: 'screen', deviceId: 'window:7:0' });
  const video = { id: 'window:7:0', name: 'Screen' };
  expect(await ask()).toEqual({ video, audio: 'loopback' });
  await_('first', { of: 'screen', deviceId: 'window:7:0' });
  expect(await ask(ownFrame, false)).toEqual({ video });
  expect(usesSystemPicker).toBe(false);
});

const screens: PageDevice[] = [
  { of: 'window', id: 'window:7:0', name: 'Paint' },
  { of: 'screen', id: 'screen:3:0', name: 'Display 1' },
];

test('what the computer plays comes with any screen, which is not chosen from the list', async () => {
  const { expect: await_, ask } = open({ picker: 'list', hasSystemSound: true, screens });
  await_('first', { of: 'system' });
  expect(await ask()).toEqual({ video: { id: 'screen:3:0', name: 'Screen' }, audio: 'loopback' });
  const without = open({ picker: 'list', hasSystemSound: true });
  without.expect('first', { of: 'system' });
  expect([await without.ask(), without.logged()]).toEqual([null, ['No screen was chosen or found']]);
  expect([await without.ask(), without.logged().slice(1)]).toEqual([null, ['Refused a screen that was not asked for']]);
});

test("what the computer plays comes without the system's picker, and a screen still with it", async () => {
  const { expect: await_, ask } = open({ picker: 'asks', hasSystemSound: true, hasSystemPicker: true });
  const answers: unknown[] = [];
  for (const of of ['screen', 'system', 'screen'] as const) {
    await_(of, { of });
    answers.push(await ask());
  }
  // No screen is captured for its sound: the page's own picture needs no permission, and is thrown away.
  expect(answers).toEqual([pickedBySystem, { video: ownFrame, audio: 'loopback' }, pickedBySystem]);
});

test('what the computer plays needs no screen where macOS refuses them', async () => {
  const { expect: await_, ask } = open({ picker: 'list', hasSystemSound: true, isRefused: true, screens });
  await_('first', { of: 'system' });
  expect(await ask()).toEqual({ video: ownFrame, audio: 'loopback' });
});

test("what the computer plays is for the capture page's request alone", async () => {
  const { expect: await_, ask } = open({ picker: 'asks', hasSystemSound: true, hasSystemPicker: true });
  await_('first', { of: 'system' });
  expect([await ask({} as Electron.WebFrameMain), await ask()]).toEqual([null, null]);
});

test.each<[string, (stage: ReturnType<typeof open>) => Promise<Electron.Streams | null>]>([
  ['a page that is not the capture page', ({ ask }) => ask({} as Electron.WebFrameMain)],
  ['a page that has gone', ({ ask }) => ask(null)],
])('%s gets no screen, and uses up what was expected', async (_who, ask) => {
  const stage = open({ picker: 'asks' });
  stage.expect('first', { of: 'screen' });
  expect([await ask(stage), await stage.ask()]).toEqual([null, null]);
});

test('a request that nobody made gets no screen', async () => {
  expect(await open({ picker: 'asks' }).ask()).toBeNull();
  const { expect: await_, ask } = open({ picker: 'list' });
  await_('first', { of: 'screen' });
  expect(await ask()).toBeNull();
  const listing = open({ picker: 'list', screens });
  listing.expect('first', { of: 'screen' });
  expect(await listing.ask()).toBeNull();
});
