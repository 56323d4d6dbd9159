interface Page extends Pick<EventTarget, 'addEventListener' | 'removeEventListener'> {
  readonly visibilityState: DocumentVisibilityState;
}

interface Lock {
  release(): Promise<void>;
}

/**
 * Keeps the display, and so the computer, awake while the page is visible (Screen Wake Lock, W3C). Returns the undo.
 *
 * Hiding the page releases the lock, so it is requested again when the page is shown. A browser may refuse it, for example on
 * an empty battery, and has no locks over plain HTTP from another computer. Only the lock is lost then.
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
