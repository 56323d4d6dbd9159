import type * as Electron from 'electron';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { ScreenPicker } from '../shared/model/page-capture.ts';
import { answerScreenRequests } from './screen-requests.ts';

type Handler = NonNullable<Parameters<Electron.Session['setDisplayMediaRequestHandler']>[0]>;

const ownFrame = {} as Electron.WebFrameMain;

/** The app's answers to requests of its capture page, or of another. */
function open({ picker, hasSystemSound = false }: { picker: ScreenPicker; hasSystemSound?: boolean }) {
  let handler: Handler | undefined;
  let options: Electron.DisplayMediaRequestHandlerOpts | undefined;
  const session = {
    setDisplayMediaRequestHandler: (given: Handler, opts: Electron.DisplayMediaRequestHandlerOpts) => {
      handler = given;
      options = opts;
    },
  } as unknown as Electron.Session;
  const requests = answerScreenRequests({
    session,
    picker,
    hasSystemSound,
    isOwn: (frame) => frame === ownFrame,
    log: pino({ enabled: false }),
  });
  const ask = (frame: Electron.WebFrameMain | null = ownFrame, audioRequested = true) => {
    const request = { frame, securityOrigin: 'tallylight://app', videoRequested: true, audioRequested, userGesture: true };
    let streams: Electron.Streams | null | undefined;
    handler?.(request, (answer) => {
      streams = answer;
    });
    return streams;
  };
  return { ...requests, ask, usesSystemPicker: options?.useSystemPicker };
}

test('on Wayland each capture has a source of our own making, and keeps it for the portal’s restore token', () => {
  const { expect: await_, ask, usesSystemPicker } = open({ picker: 'asks' });
  const answers = ['first', 'second', 'first'].map((captureId) => {
    await_(captureId, undefined);
    return ask();
  });
  expect(answers).toEqual([
    { video: { id: 'screen:1:0', name: 'Screen' } },
    { video: { id: 'screen:2:0', name: 'Screen' } },
    { video: { id: 'screen:1:0', name: 'Screen' } },
  ]);
  expect(usesSystemPicker).toBe(true);
});

test('from a list, the chosen screen is given, with what the computer plays if it was asked for', () => {
  const { expect: await_, ask, usesSystemPicker } = open({ picker: 'list', hasSystemSound: true });
  await_('first', 'window:7:0');
  const video = { id: 'window:7:0', name: 'Screen' };
  expect(ask()).toEqual({ video, audio: 'loopback' });
  await_('first', 'window:7:0');
  expect(ask(ownFrame, false)).toEqual({ video });
  expect(usesSystemPicker).toBe(false);
});

test.each<[string, (stage: ReturnType<typeof open>) => Electron.Streams | null | undefined]>([
  ['a page that is not the capture page', ({ ask }) => ask({} as Electron.WebFrameMain)],
  ['a page that has gone', ({ ask }) => ask(null)],
])('%s gets no screen, and uses up what was expected', (_who, ask) => {
  const stage = open({ picker: 'asks' });
  stage.expect('first', undefined);
  expect([ask(stage), stage.ask()]).toEqual([null, null]);
});

test('a request that nobody made gets no screen', () => {
  expect(open({ picker: 'asks' }).ask()).toBeNull();
  const { expect: await_, ask } = open({ picker: 'none' });
  await_('first', undefined);
  expect(ask()).toBeNull();
});
