import { showWindowMessage } from '../../shared/window-messages.ts';

/** How long a system may take to show a notification, in milliseconds. */
const showMs = 5_000;

/** A notification's content besides its title. */
export interface SystemNotice {
  body: string;
  /** A notification silently replaces an earlier one of the same tag, from any page of the browser. Empty, it replaces none. */
  tag: string;
  /** Called when it is clicked. */
  onOpen: () => void;
}

/**
 * Shows a system notification if the user allows notifications. Returns it, or undefined where they are impossible; {@link isShown} tells
 * whether the system shows it.
 */
export function notifySystem(title: string, { body, tag, onOpen }: SystemNotice): Notification | undefined {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return undefined;
  try {
    const shown = new Notification(title, { body, tag, requireInteraction: true });
    shown.onclick = () => {
      // Browsers follow the first, the app the second.
      window.focus();
      window.postMessage(showWindowMessage, '/');
      onOpen();
      shown.close();
    };
    return shown;
  } catch {
    // Chrome on Android supports only notifications from service workers.
    return undefined;
  }
}

/** Whether the system shows a new notification. A system that drops it reports nothing, as macOS does for an unsigned app. */
export function isShown(notification: Notification): Promise<boolean> {
  return new Promise((resolve) => {
    notification.addEventListener('show', () => resolve(true));
    notification.addEventListener('error', () => resolve(false));
    setTimeout(() => resolve(false), showMs);
  });
}
