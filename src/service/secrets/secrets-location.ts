import { resolve } from 'node:path';
import type { SecretStore, SecretsLocation } from '../ports.ts';
import { openFileSecretStore } from './file-secret-store.ts';
import { openMemorySecretStore } from './memory-secret-store.ts';
import { openOsSecretStore } from './os-secret-store.ts';

/**
 * Parses `os`, `memory` or `file:PATH`, as `formatSecretsLocation` writes it; relative paths start at the working folder. Undefined for
 * other text.
 */
export function parseSecretsLocation(text: string): SecretsLocation | undefined {
  if (text === 'os' || text === 'memory') return text;
  const path = /^file:(.+)$/s.exec(text)?.[1];
  // A shell does not expand `~` after `file:`.
  return path === undefined || path.startsWith('~') ? undefined : { file: resolve(path) };
}

/** The texts that {@link parseSecretsLocation} accepts, for the error. */
export const secretsLocations = 'It must be os, memory, or file: and a path, as in file:/etc/tallylight/key.';

/** Opens the secret store at a location. */
export function openSecretStore(location: SecretsLocation): SecretStore {
  if (location === 'os') return openOsSecretStore();
  return location === 'memory' ? openMemorySecretStore() : openFileSecretStore(location.file);
}
