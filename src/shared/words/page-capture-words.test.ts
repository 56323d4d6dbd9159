import { expect, test } from 'vitest';
import type { PageCaptureState } from '../model/page-capture.ts';
import { describeCaptureElsewhere, describePageCapture } from './page-capture-words.ts';
import { permittedProgram } from './permitted-program.ts';

const open = { kind: 'open', of: 'system', name: 'System sound', hasPicture: false, hasSound: true, isMuted: false } as const;
const failed = (
  code:
    | 'refused'
    | 'not-found'
    | 'in-use'
    | 'not-opened'
    | 'stuck'
    | 'no-sound'
    | 'unsupported'
    | 'insecure'
    | 'crashing'
    | 'not-loaded',
): PageCaptureState => ({
  kind: 'failed',
  failure: { code },
});

test.each<[Parameters<typeof describePageCapture>, string | undefined]>([
  [[{ of: 'camera' }, { kind: 'waiting' }, 'app'], 'Opening the camera…'],
  [[{ of: 'camera' }, { kind: 'waiting' }, 'browser'], 'The capture tab is closed. Open it again to capture the camera.'],
  [[{ of: 'screen' }, { kind: 'asking' }, 'app'], "Choose what to share in your system's window."],
  [[{ of: 'system' }, { kind: 'asking' }, 'app'], 'Allow Tallylight to use the system sound.'],
  [[{ of: 'system' }, { kind: 'asking' }, 'browser'], 'Choose what to share in the capture tab.'],
  [[{ of: 'camera' }, { kind: 'asking' }, 'app'], 'Allow Tallylight to use the camera.'],
  [[{ of: 'microphone' }, { kind: 'asking' }, 'browser'], 'Allow the microphone in the capture tab.'],
  [[{ of: 'system' }, { ...open, isSilent: false }, 'app'], undefined],
  [
    [{ of: 'camera' }, { ...open, name: 'Cam', isMuted: true, isSilent: true }, 'app'],
    'Cam sends nothing. It is covered, switched off or muted: switch it on at the device.',
  ],
  [
    [{ of: 'system' }, { ...open, isSilent: true }, 'app'],
    'System sound has been completely silent. If something is playing, your system is blocking the sound: on macOS, allow Tallylight, or the terminal that started it, under System Settings → Privacy & Security → Screen & System Audio Recording.',
  ],
  [
    [{ of: 'screen' }, { ...open, of: 'screen', name: 'Screen', isSilent: true }, 'browser'],
    'Screen has been completely silent. If something is playing, your system is blocking the sound: on macOS, allow your browser under System Settings → Privacy & Security → Screen & System Audio Recording.',
  ],
  [
    [{ of: 'microphone' }, { ...open, of: 'microphone', name: 'Røde', isSilent: true }, 'browser'],
    "Røde has been completely silent. Check its mute switch, and its level in your system's sound settings.",
  ],
  [[{ of: 'screen' }, { kind: 'ended' }, 'app'], 'Sharing has ended. Share it again, or choose another picture.'],
  [[{ of: 'microphone' }, { kind: 'ended' }, 'browser'], 'Sharing has ended. Share it again, or choose another sound.'],
  [[{ of: 'system' }, { kind: 'ended' }, 'browser'], 'Sharing has ended. Share it again, or choose another sound.'],
  [
    [{ of: 'screen' }, failed('refused'), 'app'],
    "The screen was refused. Try again and allow it; if you aren't asked, allow Tallylight, or the terminal that started it, in your system's privacy settings.",
  ],
  [
    [{ of: 'camera' }, failed('refused'), 'browser'],
    'The camera was refused. Allow it in the capture tab, beside its address, and try again.',
  ],
  [
    [{ of: 'microphone' }, failed('not-found'), 'app'],
    "The microphone isn't connected. Plug it in, and Tallylight picks it up automatically.",
  ],
  [
    [{ of: 'camera' }, failed('in-use'), 'app'],
    'Another program is using the camera. Close that program, and Tallylight picks up the camera automatically.',
  ],
  [
    [{ of: 'screen' }, failed('not-opened'), 'browser'],
    "The screen couldn't be opened. Share it again, or choose another picture.",
  ],
  [
    [{ of: 'system' }, failed('not-opened'), 'app'],
    "The system sound couldn't be opened. Share it again, or choose another sound.",
  ],
  [
    [{ of: 'camera' }, failed('stuck'), 'app'],
    "The camera sends nothing, and is reopened automatically. If that doesn't help, unplug it and plug it in again.",
  ],
  [
    [{ of: 'system' }, failed('no-sound'), 'browser'],
    'It was shared without its sound. Share it again and tick the box for sound.',
  ],
  [
    [{ of: 'screen' }, failed('unsupported'), 'browser'],
    "This browser can't capture. Use Chrome, Edge or another browser built on Chromium.",
  ],
  [
    [{ of: 'screen' }, failed('insecure'), 'browser'],
    'Browsers capture only on pages served over HTTPS or from this computer. Open the https:// address of this page.',
  ],
  [
    [{ of: 'system' }, failed('crashing'), 'app'],
    "Capturing the system sound keeps crashing. Tallylight tries again every minute. If that doesn't help, update your graphics driver.",
  ],
  [
    [{ of: 'camera' }, failed('not-loaded'), 'app'],
    "Tallylight can't load its own window that captures the camera. It tries again every minute. If that doesn't help, quit Tallylight and start it again.",
  ],
  [
    [{ of: 'screen' }, { kind: 'failed', failure: { code: 'broken', detail: 'TypeError: no' } }, 'app'],
    "The screen can't be captured: TypeError: no",
  ],
])('%j', (given, sentence) => {
  expect(describePageCapture(...given)).toBe(sentence);
});

test('what another place captures can only be mended there', () => {
  const capture = {
    captureId: 'id',
    place: 'phone',
    order: { of: 'camera' as const },
    attempt: 1,
    state: { kind: 'waiting' as const },
  };
  expect([
    describeCaptureElsewhere(capture),
    describeCaptureElsewhere({ ...capture, place: 'app', order: { of: 'screen' } }),
    describeCaptureElsewhere({ ...capture, state: { ...open, isSilent: false } }),
    describeCaptureElsewhere({ ...capture, state: { ...open, name: 'Cam', isMuted: true, isSilent: false } }),
    ...['phone', 'app'].map((place) => describeCaptureElsewhere({ ...capture, place, state: { ...open, isSilent: true } })),
  ]).toEqual([
    "The camera of a browser elsewhere isn't captured at the moment. Open the capture tab there, or choose another source.",
    "The Tallylight app isn't capturing the screen at the moment. Look there, or choose another source.",
    undefined,
    'Cam sends nothing. It is covered, switched off or muted: switch it on at the device.',
    ...['your browser', permittedProgram].map(
      (who) =>
        `System sound has been completely silent. If something is playing, your system is blocking the sound: on macOS, allow ${who} under System Settings → Privacy & Security → Screen & System Audio Recording.`,
    ),
  ]);
});
