import type { SettingTable } from './setting-table.ts';

/** Why the store cannot be written, in a sentence; undefined while it can. Writes one small value to find out. */
export function findStoreProblem(settings: SettingTable): string | undefined {
  try {
    settings.set('healthProbe', '1');
    return undefined;
  } catch (error) {
    return `The store cannot be written: ${(error as Error).message}.`;
  }
}
