import { assertNever } from '../assert-never.ts';
import { isolateName } from '../isolate-name.ts';
import {
  appPlace,
  type PageCapture,
  type PageCaptureFailure,
  type PageCaptureOrder,
  type PageCaptureState,
} from '../model/page-capture.ts';
import { permittedProgram } from './permitted-program.ts';

/** What is captured, as a word in a sentence. */
const nouns: Readonly<Record<PageCaptureOrder['of'], string>> = {
  screen: 'screen',
  camera: 'camera',
  microphone: 'microphone',
  system: 'system sound',
};

/** Where the words are read: on the app's own screens, or in a browser. */
export type CaptureReader = 'app' | 'browser';

/** How a capture is doing and what to do, in a sentence; undefined while there is nothing to say. */
export function describePageCapture(
  order: PageCaptureOrder,
  state: PageCaptureState,
  reader: CaptureReader,
): string | undefined {
  switch (state.kind) {
    case 'waiting':
      return reader === 'app'
        ? `Opening the ${nouns[order.of]}…`
        : `The capture tab is closed. Open it again to capture the ${nouns[order.of]}.`;
    case 'asking':
      return describeQuestion(order, reader);
    case 'open':
      return describeOpen(state, reader);
    case 'ended':
      return `Sharing has ended. Share it again, or choose another ${kindOf(order)}.`;
    case 'failed':
      return describeFailure(order, state.failure, reader);
    default:
      return assertNever(state);
  }
}

/** The same for a capture that another place makes: only there can anything be done about it. */
export function describeCaptureElsewhere({ place, order, state }: PageCapture): string | undefined {
  if (state.kind === 'open') return describeOpen(state, place === appPlace ? 'app' : 'browser');
  const noun = nouns[order.of];
  return place === appPlace
    ? `The Tallylight app isn't capturing the ${noun} at the moment. Look there, or choose another source.`
    : `The ${noun} of a browser elsewhere isn't captured at the moment. Open the capture tab there, or choose another source.`;
}

function kindOf({ of }: PageCaptureOrder): 'sound' | 'picture' {
  return of === 'system' || of === 'microphone' ? 'sound' : 'picture';
}

function describeQuestion({ of }: PageCaptureOrder, reader: CaptureReader): string {
  // In the app, sound alone is never chosen in a window.
  if (of === 'screen' || (of === 'system' && reader === 'browser')) {
    return reader === 'app' ? "Choose what to share in your system's window." : 'Choose what to share in the capture tab.';
  }
  return reader === 'app' ? `Allow Tallylight to use the ${nouns[of]}.` : `Allow the ${nouns[of]} in the capture tab.`;
}

function describeOpen(
  { of, name, isMuted, isSilent }: Extract<PageCaptureState, { kind: 'open' }>,
  reader: CaptureReader,
): string | undefined {
  if (isMuted) return `${isolateName(name)} sends nothing. It is covered, switched off or muted: switch it on at the device.`;
  if (isSilent) {
    if (of === 'microphone')
      return `${isolateName(name)} has been completely silent. Check its mute switch, and its level in your system's sound settings.`;
    const who = reader === 'app' ? permittedProgram : 'your browser';
    return `${isolateName(name)} has been completely silent. If something is playing, your system is blocking the sound: on macOS, allow ${who} under System Settings → Privacy & Security → Screen & System Audio Recording.`;
  }
  return undefined;
}

function describeFailure(order: PageCaptureOrder, failure: PageCaptureFailure, reader: CaptureReader): string {
  const noun = nouns[order.of];
  switch (failure.code) {
    case 'refused':
      return reader === 'app'
        ? `The ${noun} was refused. Try again and allow it; if you aren't asked, allow ${permittedProgram} in your system's privacy settings.`
        : `The ${noun} was refused. Allow it in the capture tab, beside its address, and try again.`;
    case 'not-found':
      return `The ${noun} isn't connected. Plug it in, and Tallylight picks it up automatically.`;
    case 'in-use':
      return `Another program is using the ${noun}. Close that program, and Tallylight picks up the ${noun} automatically.`;
    case 'not-opened':
      return `The ${noun} couldn't be opened. Share it again, or choose another ${kindOf(order)}.`;
    case 'stuck':
      return `The ${noun} sends nothing, and is reopened automatically. If that doesn't help, unplug it and plug it in again.`;
    case 'no-sound':
      return 'It was shared without its sound. Share it again and tick the box for sound.';
    case 'unsupported':
      return "This browser can't capture. Use Chrome, Edge or another browser built on Chromium.";
    case 'insecure':
      return 'Browsers capture only on pages served over HTTPS or from this computer. Open the https:// address of this page.';
    case 'crashing':
      return `Capturing the ${noun} keeps crashing. Tallylight tries again every minute. If that doesn't help, update your graphics driver.`;
    case 'not-loaded':
      return `Tallylight can't load its own window that captures the ${noun}. It tries again every minute. If that doesn't help, quit Tallylight and start it again.`;
    case 'broken':
      return `The ${noun} can't be captured: ${failure.detail}`;
    default:
      return assertNever(failure);
  }
}
