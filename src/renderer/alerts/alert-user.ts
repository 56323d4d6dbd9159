import { calmWindowMessage, flashWindowMessage } from '../../shared/window-messages.ts';
import { playAlarm } from './alarm-sound.ts';
import { readAlertSettings } from './alert-settings.ts';
import { notifySystem, type SystemNotice } from './system-notification.ts';

interface AlertNotice extends SystemNotice {
  /** It is too late to hurry, so it makes no sound. */
  isPast?: boolean;
}

/** The tag of the alert for which the window flashes: the newest. */
let flashesFor: string | undefined;

/**
 * Alerts the user as this device's settings say: with a system notification, during which the app's window flashes, and a sound.
 * Alerts with the same tag from several pages of a browser count as one. Returns how to withdraw it.
 */
export function alertUser(title: string, notice: AlertNotice): () => void {
  const { tag, isPast = false } = notice;
  const { isNotifying, isSounding } = readAlertSettings();
  const over = new AbortController();
  if (isSounding && !isPast) playAlarm(tag, over.signal).catch(() => {});
  if (!isNotifying) return () => over.abort();
  const shown = notifySystem(title, notice);
  window.postMessage(flashWindowMessage, '/');
  flashesFor = tag;
  return () => {
    over.abort();
    shown?.close();
    if (flashesFor === tag) window.postMessage(calmWindowMessage, '/');
  };
}
