import type { z } from 'zod';
import { SettingName, type Settings, type SettingsChanges } from '../../../shared/model/settings.ts';
import { parseSetting } from '../../../shared/parse-setting.ts';
import { trimPasted } from '../../../shared/trim-pasted.ts';
import { settingAdvice } from '../../../shared/words/setting-words.ts';

/** The settings of the form: those about regions have a screen of their own. */
const FormSetting = SettingName.exclude(['regions', 'regionNetworks', 'regionChoice', 'changesRegion']);
export type FormSetting = z.infer<typeof FormSetting>;

/** The settings as typed. */
export type SettingsDraft = Readonly<Record<FormSetting, string>>;

/** Only the fields that differ from the saved settings, so that other fields follow changes from elsewhere. */
export type SettingsEdits = Partial<SettingsDraft>;

export type SettingsFaults = Partial<Record<FormSetting, string>>;

/** The form for the current settings. */
export function draftOfSettings(settings: Settings): SettingsDraft {
  return {
    httpPort: String(settings.httpPort),
    rtmpPort: String(settings.rtmpPort),
    regionCode: settings.regionCode,
    serviceDomain: settings.serviceDomain ?? '',
    tlsCertificatePath: settings.tlsCertificatePath ?? '',
    tlsKeyPath: settings.tlsKeyPath ?? '',
    reconnectWindowSeconds: String(settings.reconnectWindowSeconds),
    liveWindowSeconds: String(settings.liveWindowSeconds),
    partMs: String(settings.partMs),
    encoder: settings.encoder,
    lookahead: settings.lookahead ? 'on' : 'off',
    loudnessTargetLufs: String(settings.loudnessTargetLufs),
  };
}

/** The edits with one more field; drops fields whose text equals the saved setting again. */
export function withEdit(edits: SettingsEdits, field: FormSetting, value: string, settings: Settings): SettingsEdits {
  const saved = draftOfSettings(settings);
  return pickEdits({ ...edits, [field]: value }, (each, text) => text !== saved[each]);
}

/** The edits made since `saved` was sent. */
export function withoutSaved(now: SettingsEdits, saved: SettingsEdits): SettingsEdits {
  return pickEdits(now, (field, text) => text !== saved[field]);
}

function pickEdits(edits: SettingsEdits, isPicked: (field: FormSetting, text: string) => boolean): SettingsEdits {
  return Object.fromEntries(Object.entries(edits).filter(([field, text]) => isPicked(field as FormSetting, text)));
}

/** Whether the form differs from the current settings. */
export function isEdited(draft: SettingsDraft, current: Settings): boolean {
  const saved = draftOfSettings(current);
  return FormSetting.options.some((field) => trimPasted(draft[field]) !== saved[field]);
}

/** The changes that the form makes to `current`, or all its faults. */
export function parseSettings(
  draft: SettingsDraft,
  current: Settings,
): { changes: SettingsChanges } | { faults: SettingsFaults } {
  const faults: SettingsFaults = {};
  const changes: Partial<Record<SettingName, unknown>> = {};
  for (const field of FormSetting.options) {
    const value = parseSetting(field, draft[field]);
    if (value === undefined) faults[field] = settingAdvice[field];
    else if (value !== (current[field] ?? '')) changes[field] = value;
  }
  if (Object.keys(faults).length > 0) return { faults };
  // Each port is valid, but not both together.
  const { httpPort, rtmpPort } = { ...current, ...changes };
  if (httpPort === rtmpPort && changes.rtmpPort !== undefined)
    return { faults: { rtmpPort: 'Use a different port from HTTP.' } };
  if (httpPort === rtmpPort && changes.httpPort !== undefined)
    return { faults: { httpPort: 'Use a different port from RTMP.' } };
  return { changes: changes as SettingsChanges };
}
