import { Settings, type SettingsChanges } from '../../../shared/model/settings.ts';

/** The settings as typed. */
export type SettingsDraft = Readonly<Record<keyof Settings, string>>;

export type SettingsFaults = Partial<Record<keyof Settings, string>>;

const numberFields = ['httpPort', 'rtmpPort', 'reconnectWindowSeconds', 'liveWindowSeconds', 'partMs'] as const;

const advice: Readonly<Record<keyof Settings, string>> = {
  httpPort: 'Use a port from 1 to 65535.',
  rtmpPort: 'Use a port from 1 to 65535.',
  regionCode: 'Use the three-letter code of a nearby airport, like ber.',
  serviceDomain: 'Use a domain name, like live.example.com, or leave it empty.',
  reconnectWindowSeconds: 'Use 5 to 75 seconds.',
  liveWindowSeconds: 'Use 60 seconds to 4 hours (14400).',
  partMs: 'Use 100 to 1000 milliseconds.',
  encoder: 'Choose one of the encoders in the list.',
  lookahead: 'Switch it on or off.',
};

/** The form for the current settings. */
export function draftOfSettings(settings: Settings): SettingsDraft {
  return {
    httpPort: String(settings.httpPort),
    rtmpPort: String(settings.rtmpPort),
    regionCode: settings.regionCode,
    serviceDomain: settings.serviceDomain ?? '',
    reconnectWindowSeconds: String(settings.reconnectWindowSeconds),
    liveWindowSeconds: String(settings.liveWindowSeconds),
    partMs: String(settings.partMs),
    encoder: settings.encoder,
    lookahead: settings.lookahead ? 'on' : 'off',
  };
}

/** Whether the form differs from the current settings. */
export function isEdited(draft: SettingsDraft, current: Settings): boolean {
  const saved = draftOfSettings(current);
  return (Object.keys(saved) as (keyof Settings)[]).some((field) => draft[field].trim() !== saved[field]);
}

/** What the form changes in `current`, or all its faults. */
export function parseSettings(
  draft: SettingsDraft,
  current: Settings,
): { changes: SettingsChanges } | { faults: SettingsFaults } {
  const domain = draft.serviceDomain.trim().toLowerCase();
  const wanted: Record<string, unknown> = {
    ...Object.fromEntries(
      numberFields.map((field) => [field, /^\d{1,9}$/.test(draft[field].trim()) ? Number(draft[field]) : Number.NaN]),
    ),
    regionCode: draft.regionCode.trim().toLowerCase(),
    encoder: draft.encoder,
    lookahead: ({ on: true, off: false } as Record<string, boolean>)[draft.lookahead],
    ...(domain !== '' && { serviceDomain: domain }),
  };
  const parsed = Settings.safeParse(wanted);
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => issue.path[0] as keyof Settings);
    const faults = draftOrder.filter((field) => fields.includes(field)).map((field) => [field, advice[field]]);
    return { faults: Object.fromEntries(faults) };
  }
  // Each port is valid, but not both together.
  if (parsed.data.httpPort === parsed.data.rtmpPort) return { faults: { rtmpPort: 'Use a different port from HTTP.' } };
  const changed = Object.entries(parsed.data).filter(([field, value]) => value !== current[field as keyof Settings]);
  const isDomainCleared = domain === '' && current.serviceDomain !== undefined;
  return {
    changes: { ...Object.fromEntries(changed), ...(isDomainCleared && { serviceDomain: '' as const }) } as SettingsChanges,
  };
}

/** The order of the fields in the form. */
const draftOrder: readonly (keyof Settings)[] = [
  'encoder',
  'lookahead',
  'liveWindowSeconds',
  'partMs',
  'reconnectWindowSeconds',
  'httpPort',
  'rtmpPort',
  'regionCode',
  'serviceDomain',
];
