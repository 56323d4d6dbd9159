import { type SettingName, Settings, type SettingsChanges } from '../../shared/model/settings.ts';
import { defaultSettings, type GivenSettings, noGivenSettings } from '../config.ts';
import { createEventSource } from '../lib/event-source.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { parseJson } from '../lib/parse-json.ts';
import { findViolations, violationError } from '../lib/violations.ts';
import type { Logger } from '../ports.ts';
import { proposeRegion } from './region-catalogue.ts';
import { findNewRegionViolations, findRegionViolations, type RegionViolation } from './region-violations.ts';
import type { SettingTable } from './setting-table.ts';
import type { StoreWriter } from './store-writer.ts';

/** The user's settings on top of the defaults, below those that the host was given. */
export interface SettingsStore {
  get(): Settings;
  /**
   * Stores the changes and notifies the listeners. `serviceDomain` `''` clears it.
   *
   * @throws {ServiceError} INVALID_INPUT, also for a setting that the host was given, or UNAVAILABLE when the store cannot be written
   */
  update(changes: SettingsChanges): Promise<Settings>;
  onChange(listener: (settings: Settings) => void): () => void;
}

interface SettingsStoreOptions {
  given?: GivenSettings | undefined;
  proposedRegion?: () => string;
}

const prefix = 'settings.';
const codeName = `${prefix}regionCode`;

/**
 * Opens the settings of a data folder. An invalid stored value is replaced by its default, with a warning in the log.
 *
 * @throws {ServiceError} INVALID_INPUT if given settings are invalid or disagree
 */
export function openSettingsStore(
  table: SettingTable,
  writer: Pick<StoreWriter, 'write'>,
  log: Logger,
  { given = noGivenSettings, proposedRegion = proposeRegion }: SettingsStoreOptions = {},
): SettingsStore {
  const changed = createEventSource<Settings>();
  let settings = merge(read(table, log, proposedRegion), given.values);
  // Start even if stored settings no longer agree with given ones; only violations in given settings prevent it.
  refuseRegions(findRegionViolations(settings).filter(({ path: [name] }) => String(name) in given.sources));
  const keepsCode = given.sources.regionCode === undefined;
  const setCode = ({ regionCode }: Settings) => table.setAll({ [codeName]: JSON.stringify(regionCode) });
  if (keepsCode && table.find(codeName) === undefined && hasNamedRegions(settings)) {
    // If it can't be written now, the next start tries again.
    runHarmlessly(() => writer.write(() => setCode(settings)).catch(() => {}), 'keeping the code of the region');
  }
  return {
    get: () => settings,
    async update(changes) {
      // Store only chosen settings; the rest follows the defaults of later versions.
      const chosen = Object.entries(changes).filter(([, value]) => value !== undefined);
      refuseGiven(chosen, given);
      const apply = () => {
        const merged = merge(settings, changes);
        // Refuse only new violations: settings that disagree already are corrected one at a time.
        refuseRegions(findNewRegionViolations(merged, settings));
        return merged;
      };
      apply();
      const stored = chosen.map(([name, value]) => [prefix + name, value === '' ? undefined : JSON.stringify(value)] as const);
      const store = () => {
        // Apply the changes again: others may have been written before these.
        const merged = apply();
        table.setAll(Object.fromEntries(stored));
        // Names of hosts, certificates and other computers refer to it from now on: it no longer follows the time zone.
        if (keepsCode && hasNamedRegions(merged)) setCode(merged);
        return merged;
      };
      await writer.write(store, (written) => {
        settings = written;
        changed.emit(settings);
      });
      return settings;
    },
    onChange: (listener) => changed.on(listener),
  };
}

/** @throws {ServiceError} INVALID_INPUT for the first change of a setting that was given */
function refuseGiven(chosen: readonly [string, unknown][], { sources }: GivenSettings) {
  for (const [name] of chosen) {
    const source = sources[name as SettingName];
    if (source) throw violationError('INVALID_INPUT', [{ code: 'given-at-start', path: [name], source }]);
  }
}

/** Whether the code of this computer's region is part of host names, or tells it from other regions. */
function hasNamedRegions({ serviceDomain, regions, regionNetworks, regionChoice }: Settings): boolean {
  return serviceDomain !== undefined || regions.length > 0 || regionNetworks.length > 0 || regionChoice !== 'automatic';
}

/** @throws {ServiceError} INVALID_INPUT if the settings disagree on the regions */
function refuseRegions(violations: RegionViolation[]) {
  if (violations.length > 0) throw violationError('INVALID_INPUT', violations);
}

/** @throws {ServiceError} INVALID_INPUT */
function merge(settings: Settings, changes: SettingsChanges): Settings {
  const changed = Object.entries(changes).filter(([, value]) => value !== undefined);
  const merged = {
    ...settings,
    ...Object.fromEntries(changed.map(([name, value]) => [name, value === '' ? undefined : value])),
  };
  const parsed = Settings.safeParse(merged);
  if (parsed.success) return parsed.data;
  throw violationError('INVALID_INPUT', findViolations(parsed.error, merged));
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
