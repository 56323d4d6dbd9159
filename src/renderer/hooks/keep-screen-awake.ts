interface Page extends Pick<EventTarget, 'addEventListener' | 'removeEventListener'> {
  readonly visibilityState: DocumentVisibilityState;
}

interface Lock {
  release(): Promise<void>;
}

/**
 * Keeps the display, and so the computer, awake while the page is looked at (Screen Wake Lock, W3C). Answers the undo.
 *
 * A lock ends by itself when the page is hidden, so that it is asked for again when it is shown. A browser may refuse it,
 * as on an empty battery, and has none over plain HTTP from another computer: nothing is lost but the lock.
 */
export function keepScreenAwake(
  page: Page = document,
  locks: { request(type: 'screen'): Promise<Lock> } | undefined = navigator.wakeLock,
): () => void {
  let isOver = false;
  let held: Lock | undefined;
  const release = () => {
    held?.release().catch(() => {});
    held = undefined;
  };
  const ask = () => {
    if (page.visibilityState !== 'visible') return;
    locks?.request('screen').then(
      (granted) => {
        held = granted;
        if (isOver) release();
      },
      () => {},
    );
  };
  ask();
  page.addEventListener('visibilitychange', ask);
  return () => {
    isOver = true;
    page.removeEventListener('visibilitychange', ask);
    release();
  };
}
