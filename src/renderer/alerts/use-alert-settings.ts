import { useState, useSyncExternalStore } from 'react';
import { type AlertSettings, changeAlertSettings, onAlertSettings, readAlertSettings } from './alert-settings.ts';
import { askForNotifications } from './ask-for-notifications.ts';

interface AlertSettingsHook {
  settings: AlertSettings;
  change: (changes: Partial<AlertSettings>) => void;
  /** The browser's permission; `missing` without notifications. */
  permission: NotificationPermission | 'missing';
  /** Whether the user hasn't been asked yet. */
  canAsk: boolean;
  /** Asks the user, and turns notifications on. */
  ask: () => void;
}

/** How this device alerts its user. */
export function useAlertSettings(): AlertSettingsHook {
  const settings = useSyncExternalStore(onAlertSettings, readAlertSettings);
  const [permission, setPermission] = useState(readPermission);
  const ask = async () => {
    changeAlertSettings({ isNotifying: true });
    await askForNotifications(Notification);
    setPermission(readPermission());
  };
  return {
    settings,
    change: changeAlertSettings,
    permission,
    canAsk: permission === 'default',
    ask: () => void ask(),
  };
}

function readPermission(): NotificationPermission | 'missing' {
  return typeof Notification === 'undefined' ? 'missing' : Notification.permission;
}
