import { useState } from 'react';
import { isDesktopPage } from '../client/is-desktop-page.ts';
import { isShown, notifySystem } from './system-notification.ts';

/** Shows a notification like that of an alert. `isDropped`: the system has dropped the app's last one. */
export function useTriedNotification(): { isDropped: boolean; tryIt: () => void } {
  const [isDropped, setDropped] = useState(false);
  const tryIt = async () => {
    const body = 'This is how Tallylight alerts you when viewers get nothing new, or when a broadcast is lost.';
    // Without a tag it replaces none.
    const notification = notifySystem('A test', { body, tag: '', onOpen: () => {} });
    // Browsers need a permission of their own from the system, and explain it in their settings.
    if (notification !== undefined && isDesktopPage(window)) setDropped(!(await isShown(notification)));
  };
  return { isDropped, tryIt: () => void tryIt() };
}
