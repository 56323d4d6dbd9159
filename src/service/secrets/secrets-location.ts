import { resolve } from 'node:path';
import type { SecretStore } from '../ports.ts';
import { openFileSecretStore } from './file-secret-store.ts';
import { openMemorySecretStore } from './memory-secret-store.ts';
import { openOsSecretStore } from './os-secret-store.ts';

/** Which secret store to use: the OS keychain, the memory of the process, or a file at this absolute path. */
export type SecretsLocation = 'os' | 'memory' | { file: string };

/** Parses `os`, `memory` or `file:PATH`; relative paths start at the working folder. Undefined for other text. */
export function parseSecretsLocation(text: string): SecretsLocation | undefined {
  if (text === 'os' || text === 'memory') return text;
  const path = /^file:(.+)$/s.exec(text)?.[1];
  // A shell does not expand `~` after `file:`.
  return path === undefined || path.startsWith('~') ? undefined : { file: resolve(path) };
}

/** What {@link parseSecretsLocation} accepts, for the error. */
export const secretsLocations = 'It must be os, memory, or file: and a path, as in file:/etc/tallylight/key.';

/** Opens the secret store at a location. `words` replaces what its errors advise: they name options of the headless host. */
export function openSecretStore(location: SecretsLocation, words: { instead?: string; ifGone?: string } = {}): SecretStore {
  if (location === 'os') return openOsSecretStore(words);
  return location === 'memory' ? openMemorySecretStore() : openFileSecretStore(location.file, words);
}
