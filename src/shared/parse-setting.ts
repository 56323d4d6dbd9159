import { type SettingName, SettingsChanges } from './model/settings.ts';

/** The value of a setting. */
type SettingValue = NonNullable<SettingsChanges[SettingName]>;

/**
 * Reads a setting as people type it: numbers in digits, `on` or `off`, names in any case. An empty service domain or path is `''`,
 * which clears it.
 *
 * @returns undefined if the setting can't have this value
 */
export function parseSetting(name: SettingName, text: string): SettingValue | undefined {
  const value = readText(name, text.trim());
  return value === undefined ? undefined : SettingsChanges.shape[name].safeParse(value).data;
}

function readText(name: SettingName, text: string): string | number | boolean | undefined {
  switch (name) {
    case 'encoder':
    case 'tlsCertificatePath':
    case 'tlsKeyPath':
      return text;
    case 'regionCode':
    case 'serviceDomain':
      return text.toLowerCase();
    case 'lookahead':
      if (text === 'on') return true;
      return text === 'off' ? false : undefined;
    default:
      return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  }
}
