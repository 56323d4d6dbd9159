import type { SettingSource } from '../../shared/model/settings.ts';
import { describeSettingSource } from '../../shared/words/setting-words.ts';

/** The hint of a setting that was given at the start, and so can't be changed here. */
export function describeGiven(source: SettingSource): string;
/** Undefined for a setting without a source, which can be changed here. */
export function describeGiven(source: SettingSource | undefined): string | undefined;
export function describeGiven(source: SettingSource | undefined): string | undefined {
  return source && `Set ${describeSettingSource(source)}.`;
}
