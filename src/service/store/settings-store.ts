import { Settings, type SettingsChanges } from '../../shared/model/settings.ts';
import { defaultSettings } from '../config.ts';
import { createEventSource } from '../lib/event-source.ts';
import { findViolations, violationError } from '../lib/violations.ts';
import type { Logger } from '../ports.ts';
import { proposeRegion } from '../regions/region-catalogue.ts';
import type { SettingTable } from './setting-table.ts';
import type { StoreWriter } from './store-writer.ts';

/** The user's settings on top of the defaults. */
export interface SettingsStore {
  get(): Settings;
  /**
   * Stores the changes and notifies the listeners. `serviceDomain` `''` clears it.
   *
   * @throws {ServiceError} INVALID_INPUT, or UNAVAILABLE when the store cannot be written
   */
  update(changes: SettingsChanges): Promise<Settings>;
  onChange(listener: (settings: Settings) => void): () => void;
}

const prefix = 'settings.';

/** Opens the settings of a data folder. An invalid stored value is replaced by its default, with a warning in the log. */
export function openSettingsStore(
  table: SettingTable,
  writer: Pick<StoreWriter, 'write'>,
  log: Logger,
  proposedRegion: () => string = proposeRegion,
): SettingsStore {
  const changed = createEventSource<Settings>();
  let settings = read(table, log, proposedRegion);
  return {
    get: () => settings,
    async update(changes) {
      // Store only what was chosen; the rest follows the defaults of later versions.
      const chosen = Object.entries(changes).filter(([, value]) => value !== undefined);
      const merge = () => {
        const merged = {
          ...settings,
          ...Object.fromEntries(chosen.map(([name, value]) => [name, value === '' ? undefined : value])),
        };
        const parsed = Settings.safeParse(merged);
        if (parsed.success) return parsed.data;
        throw violationError('INVALID_INPUT', findViolations(parsed.error, merged));
      };
      merge();
      const stored = chosen.map(([name, value]) => [prefix + name, value === '' ? undefined : JSON.stringify(value)] as const);
      const store = () => table.setAll(Object.fromEntries(stored));
      await writer.write(store, () => {
        // Merge again: another change may have been written before this one.
        settings = merge();
        changed.emit(settings);
      });
      return settings;
    },
    onChange: (listener) => changed.on(listener),
  };
}

function read(table: SettingTable, log: Logger, proposedRegion: () => string): Settings {
  const stored: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(Settings.shape)) {
    const text = table.find(prefix + name);
    if (text === undefined) continue;
    const value = parseJson(text);
    const parsed = schema.safeParse(value);
    if (value !== undefined && parsed.success) stored[name] = parsed.data;
    else log.warn({ setting: name }, 'A stored setting is invalid. The default is used.');
  }
  return { ...defaultSettings, regionCode: proposedRegion(), ...stored };
}

/** Undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
