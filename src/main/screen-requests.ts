import type { DisplayMediaRequestHandlerHandlerRequest as DisplayMediaRequest, Session, Streams, WebFrameMain } from 'electron';
import type { Logger } from '../service/ports.ts';
import type { PageCaptureOrder, PageDevice, ScreenPicker } from '../shared/model/page-capture.ts';
import { putLast } from '../shared/put-last.ts';

/** The app's answers when its capture page asks for a screen. */
export interface ScreenRequests {
  /** The next request is for this capture; the `deviceId` of its order is the screen or window from our list. */
  expect(captureId: string, order: PageCaptureOrder): void;
}

/** More than anyone captures; limits memory. */
const maxRemembered = 64;

/**
 * Answers `getDisplayMedia` of the capture page, and refuses every other page.
 *
 * On Wayland the answer is a source of our own making: Chromium then opens the portal, once, while listing the sources would open it
 * first, and again for the one chosen. Chromium keeps the portal's restore token under the id of that source for as long as the app
 * runs, so each capture has its own, and the portal doesn't ask again when its page is reloaded.
 *
 * System sound comes only together with a picture, which nobody sees, so with our own list any screen will do. The system's picker of macOS
 * gives no sound at all (electron/electron#44685), so for sound it isn't used: the picture is the capture page itself, which needs no
 * permission to capture screens. The same is done if screens are refused. Electron may crash if its picker is used after a screen was
 * captured without it (electron/electron#51571).
 */
export function answerScreenRequests(options: {
  session: Session;
  picker: ScreenPicker;
  hasSystemSound: boolean;
  isOwn: (frame: WebFrameMain | null) => boolean;
  /** The screens and windows to choose from with a picker of the kind `list`. */
  listScreens: () => Promise<PageDevice[]>;
  /** Whether the system refuses screens to us. */
  areScreensRefused: () => boolean;
  log: Logger;
}): ScreenRequests {
  const { session, picker, hasSystemSound, isOwn, listScreens, areScreensRefused, log } = options;
  const portalIds = new Map<string, string>();
  let made = 0;
  let expected: { captureId: string; order: PageCaptureOrder } | undefined;

  const portalIdOf = (captureId: string): string => {
    const known = portalIds.get(captureId);
    if (known !== undefined) return known;
    made += 1;
    const id = `screen:${made}:0`;
    putLast(portalIds, captureId, id, maxRemembered);
    return id;
  };

  const findScreen = async ({ captureId, order }: NonNullable<typeof expected>): Promise<string | undefined> => {
    if (order.deviceId !== undefined) return order.deviceId;
    if (picker === 'asks') return portalIdOf(captureId);
    if (order.of !== 'system') return undefined;
    return (await listScreens()).find(({ of }) => of === 'screen')?.id;
  };

  const choose = async ({ frame, securityOrigin, audioRequested }: DisplayMediaRequest): Promise<Streams | null> => {
    const asked = expected;
    expected = undefined;
    if (asked === undefined || frame === null || !isOwn(frame)) {
      log.warn({ origin: securityOrigin }, 'Refused a screen that was not asked for');
      return null;
    }
    if (comesWithPage(asked.order)) return { video: frame, audio: 'loopback' };
    const id = await findScreen(asked);
    if (id === undefined) {
      log.warn('No screen was chosen or found');
      return null;
    }
    const withSound = audioRequested && hasSystemSound;
    return { video: { id, name: 'Screen' }, ...(withSound && { audio: 'loopback' as const }) };
  };

  const comesWithPage = ({ of }: PageCaptureOrder) =>
    of === 'system' && hasSystemSound && (picker === 'asks' || areScreensRefused());

  const answerNext = ({ useSystemPicker }: { useSystemPicker: boolean }) =>
    session.setDisplayMediaRequestHandler(
      (request, answer) => {
        choose(request).then(answer, (error: unknown) => {
          log.error({ err: error }, 'The screens of this computer could not be listed');
          answer(null);
        });
      },
      { useSystemPicker },
    );

  answerNext({ useSystemPicker: picker === 'asks' });

  return {
    expect(captureId, order) {
      expected = { captureId, order };
      answerNext({ useSystemPicker: picker === 'asks' && !comesWithPage(order) });
    },
  };
}
