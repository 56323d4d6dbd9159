import { afterEach, expect, test, vi } from 'vitest';
import { BrowserTrack } from '../../../test/support/browser-track.ts';
import type { PageCaptureOrder } from '../../shared/model/page-capture.ts';
import { explainCaptureError, openMedia } from './open-media.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const linuxApp =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Electron/45.4.1 Safari/537.36';
const macApp = linuxApp.replace('X11; Linux x86_64', 'Macintosh; Intel Mac OS X 10_15_7');

/** Opens an order in a browser that gives a picture and a sound, and returns what the browser was asked for. */
async function open(
  order: PageCaptureOrder,
  { sound = new BrowserTrack('audio'), userAgent = linuxApp, surface = undefined as string | undefined } = {},
) {
  const asked: unknown[] = [];
  const picture = Object.assign(new BrowserTrack('video'), { settings: { displaySurface: surface } });
  const give = async (constraints: { video?: unknown; audio?: unknown }) => {
    asked.push(constraints);
    return {
      getVideoTracks: () => (constraints.video ? [picture] : []),
      getAudioTracks: () => (constraints.audio ? [sound] : []),
    };
  };
  vi.stubGlobal('navigator', { userAgent, mediaDevices: { getUserMedia: give, getDisplayMedia: give } });
  const media = await openMedia(order);
  return { asked, media, picture, sound };
}

const unprocessed = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

test('a screen is asked for with its sound as it is, and without the sound of our own monitor', async () => {
  const { asked, media } = await open({ of: 'screen', withSound: true });
  expect(asked).toEqual([
    {
      video: { width: { max: 1280 }, height: { max: 720 }, frameRate: { max: 30 } },
      audio: { ...unprocessed, restrictOwnAudio: true },
      systemAudio: 'include',
      selfBrowserSurface: 'exclude',
      surfaceSwitching: 'include',
    },
  ]);
  expect([media.picture, media.sound].map((track) => track?.kind)).toEqual(['video', 'audio']);
});

test('of what the computer plays only the sound is kept: its picture is thrown away', async () => {
  const { asked, media, picture, sound } = await open({ of: 'system' });
  expect(asked).toMatchObject([{ audio: { restrictOwnAudio: true }, systemAudio: 'include' }]);
  expect([media.of, media.picture, media.sound, picture.readyState]).toEqual(['system', undefined, sound, 'ended']);
});

const browser = linuxApp.replace('Electron/45.4.1 ', '');

test.each<[what: string, userAgent: string, surface: string, settings: object, expected: boolean]>([
  ['the app where it leaves its own out: no', macApp, 'browser', { restrictOwnAudio: true }, false],
  ['the app on a system that has no way to: yes', macApp, 'monitor', { restrictOwnAudio: false }, true],
  ['a browser with a screen, which leaves out no other tab: yes', browser, 'monitor', { restrictOwnAudio: true }, true],
  ['a browser with a tab: no', browser, 'browser', {}, false],
])('the monitor may be heard in what is shared by %s', async (_what, userAgent, surface, settings, expected) => {
  for (const order of [{ of: 'system' }, { of: 'screen', withSound: true }] as const) {
    const sound = Object.assign(new BrowserTrack('audio'), { settings });
    const { media } = await open(order, { userAgent, surface, sound });
    expect(media.hearsMonitor).toBe(expected);
  }
  expect((await open({ of: 'screen' }, { userAgent, surface })).media.hearsMonitor).toBe(false);
});

test('sound that the system refuses has ended when it is given: there is none, and of the sound alone that is a refusal', async () => {
  const refused = () => Object.assign(new BrowserTrack('audio'), { readyState: 'ended' as const });
  const failure = await open({ of: 'system' }, { sound: refused() }).catch((error: unknown) =>
    explainCaptureError(error, { of: 'system' }),
  );
  expect(failure).toEqual({ code: 'refused' });
  const { media, picture } = await open({ of: 'screen', withSound: true }, { sound: refused() });
  expect([media.picture, media.sound, picture.readyState]).toEqual([picture, undefined, 'live']);
});

test("what macOS's picker shares is opened once in the largest size, and stays so: its picker would ask again", async () => {
  const picked = await open({ of: 'screen' }, { userAgent: macApp });
  const largest = { width: { max: 3840 }, height: { max: 3840 }, frameRate: { max: 60 } };
  expect([picked.media.keepsSize, picked.asked]).toMatchObject([true, [{ video: largest }]]);
  for (const [order, userAgent] of [
    [{ of: 'screen', deviceId: 'screen:1:0' }, macApp],
    [{ of: 'camera' }, macApp],
    [{ of: 'screen' }, macApp.replace('Electron/45.4.1 ', '')],
    [{ of: 'screen' }, linuxApp],
  ] as const) {
    expect((await open(order, { userAgent })).media.keepsSize ?? false).toBe(false);
  }
});

test('a screen without its sound, a camera and a microphone are asked for alone', async () => {
  expect((await open({ of: 'screen' })).asked).toMatchObject([{ audio: false }]);
  const camera = await open({ of: 'camera', deviceId: 'c' });
  expect(camera.asked).toEqual([
    {
      video: {
        deviceId: { exact: 'c' },
        width: { ideal: 1280 },
        height: { ideal: 720 },
        frameRate: { ideal: 30 },
        resizeMode: { ideal: 'none' },
      },
    },
  ]);
  expect([camera.media.name, camera.media.deviceId]).toEqual(['Device', 'device id']);
  expect((await open({ of: 'microphone' })).asked).toEqual([{ audio: { ...unprocessed, channelCount: { ideal: 2 } } }]);
});

test.each<[error: unknown, failure: object]>([
  [new DOMException('', 'NotAllowedError'), { code: 'refused' }],
  [new DOMException('', 'SecurityError'), { code: 'refused' }],
  [new DOMException('', 'NotFoundError'), { code: 'not-found' }],
  [Object.assign(new Error(), { name: 'OverconstrainedError' }), { code: 'not-found' }],
  [new DOMException('', 'NotReadableError'), { code: 'in-use' }],
  [new DOMException('', 'AbortError'), { code: 'in-use' }],
  [new DOMException('', 'TallylightNoSound'), { code: 'no-sound' }],
  [
    new DOMException('The context is lost.', 'InvalidStateError'),
    { code: 'broken', detail: 'InvalidStateError The context is lost.' },
  ],
  ['no error at all', { code: 'broken', detail: 'no error at all' }],
])('%s means %j', (error, failure) => {
  expect(explainCaptureError(error, { of: 'camera' })).toEqual(failure);
});

test("a screen that fails to open is in nobody else's use, and nothing to plug in", () => {
  const failed = (of: PageCaptureOrder['of']) =>
    ['NotReadableError', 'AbortError', 'NotFoundError', 'OverconstrainedError', 'NotAllowedError'].map((name) =>
      explainCaptureError(Object.assign(new Error(), { name }), { of }),
    );
  const codes = [...Array(4).fill({ code: 'not-opened' }), { code: 'refused' }];
  expect([failed('screen'), failed('system')]).toEqual([codes, codes]);
});
