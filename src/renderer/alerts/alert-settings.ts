import { createListeners } from '../../shared/listeners.ts';

/** How this device alerts its user to an interrupted or lost broadcast. Stored in the browser, since each device may be in another room. */
export interface AlertSettings {
  /** Show a system notification, if available and allowed. */
  isNotifying: boolean;
  /** Play a sound on the page. */
  isSounding: boolean;
}

const storageKey = 'tallylight.alerts';
const initialSettings: AlertSettings = { isNotifying: true, isSounding: false };

const listeners = createListeners();
let settings: AlertSettings | undefined;

/** The settings of this device. */
export function readAlertSettings(): AlertSettings {
  settings ??= parseAlertSettings(readStorage());
  return settings;
}

/** Saves changes. If the browser can't store them, they last as long as the page. */
export function changeAlertSettings(changes: Partial<AlertSettings>): void {
  settings = { ...readAlertSettings(), ...changes };
  try {
    localStorage.setItem(storageKey, JSON.stringify(settings));
  } catch {
    // Storage is full or forbidden.
  }
  listeners.emit();
}

/** Calls `listener` on each change, also by another tab; returns the undo. */
export const onAlertSettings = listeners.on;

/** Follows what other tabs of this browser store, for as long as the page is there. */
export function followAlertSettings(page: Window): void {
  page.addEventListener('storage', ({ key }) => {
    if (key !== storageKey && key !== null) return;
    settings = undefined;
    listeners.emit();
  });
}

/** Parses stored settings, with defaults for missing or unreadable ones. */
export function parseAlertSettings(text: string | null): AlertSettings {
  try {
    const kept: unknown = JSON.parse(text ?? '{}');
    const pick = (name: keyof AlertSettings) => {
      const value = typeof kept === 'object' && kept !== null ? Reflect.get(kept, name) : undefined;
      return typeof value === 'boolean' ? value : initialSettings[name];
    };
    return { isNotifying: pick('isNotifying'), isSounding: pick('isSounding') };
  } catch {
    return initialSettings;
  }
}

function readStorage(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}
