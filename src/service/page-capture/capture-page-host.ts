import type { PageCaptureOrder, PageDevice, ScreenPicker } from '../../shared/model/page-capture.ts';

/** The desktop app's capture window. In a browser the user opens a capture tab. */
export interface CapturePageHost {
  readonly picker: ScreenPicker;
  /** Whether a screen can be captured with system sound. */
  readonly hasSystemSound: boolean;
  /** Opens the capture window if it isn't open. */
  open(): void;
  /** Calls `listener` when the capture window has crashed so often that it was closed; returns the undo. */
  onGiveUp(listener: () => void): () => void;
  /** Closes it, which ends its captures. */
  close(): void;
  /**
   * Lets the page ask for a screen, which browsers allow only after a user's gesture: the press in another window counts. The page's
   * next request is taken to be for this capture, so let captures choose one after another.
   *
   * @param order its `deviceId` is the screen or window from {@link listScreens}; without one, the system asks the user.
   */
  letChoose(captureId: string, order: PageCaptureOrder): void;
  /** The screens and windows with a picker of the kind `list`; `refused` while the system keeps them from us. */
  listScreens(): Promise<PageDevice[] | 'refused'>;
}
