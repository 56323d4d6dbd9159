import type { Session, WebFrameMain } from 'electron';
import type { Logger } from '../service/ports.ts';
import type { ScreenPicker } from '../shared/model/page-capture.ts';

/** What the app answers when its capture page asks for a screen. */
export interface ScreenRequests {
  /** The next request is for this capture; `deviceId` is the screen or window from our list. */
  expect(captureId: string, deviceId: string | undefined): void;
}

/** More than anyone captures; limits what is kept. */
const maxRemembered = 64;

/**
 * Answers `getDisplayMedia` of the capture page, and refuses every other page.
 *
 * On Wayland the answer is a source of our own making: Chromium then opens the portal, once, while listing the sources would open it
 * first, and again for the one chosen. Chromium keeps the portal's restore token under the id of that source for as long as the app
 * runs, so each capture has its own, and the portal doesn't ask again when its page is reloaded.
 */
export function answerScreenRequests(options: {
  session: Session;
  picker: ScreenPicker;
  hasSystemSound: boolean;
  isOwn: (frame: WebFrameMain | null) => boolean;
  log: Logger;
}): ScreenRequests {
  const { session, picker, hasSystemSound, isOwn, log } = options;
  const portalIds = new Map<string, string>();
  let made = 0;
  let expected: { captureId: string; deviceId: string | undefined } | undefined;

  const portalIdOf = (captureId: string): string => {
    const known = portalIds.get(captureId);
    if (known !== undefined) return known;
    made += 1;
    const id = `screen:${made}:0`;
    portalIds.set(captureId, id);
    const [oldest] = portalIds.keys();
    if (portalIds.size > maxRemembered && oldest !== undefined) portalIds.delete(oldest);
    return id;
  };

  session.setDisplayMediaRequestHandler(
    (request, answer) => {
      const { captureId, deviceId } = expected ?? {};
      expected = undefined;
      const id = deviceId ?? (captureId !== undefined && picker === 'asks' ? portalIdOf(captureId) : undefined);
      if (!isOwn(request.frame) || id === undefined) {
        log.warn({ origin: request.securityOrigin }, 'Refused a screen that was not asked for');
        answer(null);
        return;
      }
      const withSound = request.audioRequested && hasSystemSound;
      answer({ video: { id, name: 'Screen' }, ...(withSound && { audio: 'loopback' as const }) });
    },
    { useSystemPicker: picker === 'asks' },
  );

  return {
    expect(captureId, deviceId) {
      expected = { captureId, deviceId };
    },
  };
}
