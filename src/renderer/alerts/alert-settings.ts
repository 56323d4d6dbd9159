/** How this device tells of a lost broadcast; kept in the browser, since each device is used in another room. */
export interface AlertSettings {
  /** A notification of the system, where it has them and the user allows it. */
  isNotifying: boolean;
  /** A sound of the page. */
  isSounding: boolean;
}

const storageKey = 'tallylight.alerts';
const initialSettings: AlertSettings = { isNotifying: true, isSounding: false };

const listeners = new Set<() => void>();
let settings: AlertSettings | undefined;

/** The settings of this device. */
export function readAlertSettings(): AlertSettings {
  settings ??= parseAlertSettings(readStorage());
  return settings;
}

/** Keeps other settings; where a browser keeps nothing, they last as long as the page. */
export function changeAlertSettings(changes: Partial<AlertSettings>): void {
  settings = { ...readAlertSettings(), ...changes };
  try {
    localStorage.setItem(storageKey, JSON.stringify(settings));
  } catch {
    // Storage is full or forbidden.
  }
  for (const listener of [...listeners]) listener();
}

/** Tells of each change; returns the undo. */
export function onAlertSettings(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What was kept, with the default for all that is missing or unreadable. */
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
