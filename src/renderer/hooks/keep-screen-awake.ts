interface Page extends Pick<EventTarget, 'addEventListener' | 'removeEventListener'> {
  readonly visibilityState: DocumentVisibilityState;
}

interface Lock extends Pick<EventTarget, 'addEventListener'> {
  release(): Promise<void>;
}

/** The pause before a refused or lost lock is requested again, in milliseconds: the reason may be gone by then. */
const askAgainMs = 60_000;

/**
 * Keeps the display, and so the computer, awake while the page is visible (Screen Wake Lock, W3C). Returns the undo.
 *
 * Hiding the page releases the lock, so it is requested again when the page is shown. A browser may refuse it or take it away, for
 * example on an empty battery: it is requested again after a minute. There are no locks over plain HTTP from another computer.
 */
export function keepScreenAwake(
  page: Page = document,
  locks: { request(type: 'screen'): Promise<Lock> } | undefined = navigator.wakeLock,
): () => void {
  let isOver = false;
  let held: Lock | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const release = () => {
    held?.release().catch(() => {});
    held = undefined;
  };
  const askLater = () => {
    clearTimeout(timer);
    if (isOver) return;
    timer = setTimeout(() => {
      if (held === undefined) ask();
    }, askAgainMs);
  };
  const take = (granted: Lock) => {
    held = granted;
    if (isOver) return release();
    granted.addEventListener('release', () => {
      if (held !== granted) return;
      held = undefined;
      askLater();
    });
  };
  const ask = () => {
    if (page.visibilityState !== 'visible') return;
    clearTimeout(timer);
    locks?.request('screen').then(take, askLater);
  };
  ask();
  page.addEventListener('visibilitychange', ask);
  return () => {
    isOver = true;
    clearTimeout(timer);
    page.removeEventListener('visibilitychange', ask);
    release();
  };
}
