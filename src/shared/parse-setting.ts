import type { z } from 'zod';
import { type SettingName, SettingsChanges } from './model/settings.ts';
import { parseRegionNetworks, parseRegions } from './parse-regions.ts';
import { readPastedPath, trimPasted } from './trim-pasted.ts';

/** The value of a setting. */
type SettingValue = NonNullable<SettingsChanges[SettingName]>;

/** A setting's value, or what is wrong with it. In a list, the error says which entry; elsewhere the setting's advice says it better. */
export type CheckedSetting = { value: SettingValue } | { isList: true; input: unknown; error: z.ZodError } | { isList: false };

/**
 * Reads a setting as people type it: numbers in digits, with a minus sign if they are negative; `on` or `off`; names in any case;
 * lists with commas. An empty service domain or path is `''`, which clears it, and an empty list is a list.
 *
 * @returns undefined if the setting can't have this value
 */
export function parseSetting(name: SettingName, text: string): SettingValue | undefined {
  const result = checkSetting(name, text);
  return 'value' in result ? result.value : undefined;
}

/** As {@link parseSetting}, with what is wrong in a list. */
export function checkSetting(name: SettingName, text: string): CheckedSetting {
  const input = readText(name, trimPasted(text));
  if (input === undefined) return { isList: false };
  const { data, error } = SettingsChanges.pick({ [name]: true } as Record<typeof name, true>).safeParse({ [name]: input });
  const value = data?.[name];
  if (value !== undefined) return { value };
  return Array.isArray(input) && error ? { isList: true, input: { [name]: input }, error } : { isList: false };
}

function readText(name: SettingName, text: string): string | number | boolean | object | undefined {
  switch (name) {
    case 'encoder':
      return text;
    case 'tlsCertificatePath':
    case 'tlsKeyPath':
      return readPastedPath(text);
    case 'regionCode':
    case 'serviceDomain':
    case 'regionChoice':
      return text.toLowerCase();
    case 'regions':
      return parseRegions(text);
    case 'regionNetworks':
      return parseRegionNetworks(text);
    case 'lookahead':
    case 'changesRegion':
      if (text === 'on') return true;
      return text === 'off' ? false : undefined;
    case 'loudnessTargetLufs':
      // With the hyphen that keyboards have, or the minus sign that the screens show.
      return /^[-−]\d{1,2}$/.test(text) ? Number(text.replace('−', '-')) : undefined;
    default:
      return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  }
}
