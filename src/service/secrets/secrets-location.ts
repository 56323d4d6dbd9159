import { resolve } from 'node:path';
import type { SecretStore, SecretsLocation } from '../ports.ts';
import { openFileSecretStore } from './file-secret-store.ts';
import { openMemorySecretStore } from './memory-secret-store.ts';
import { openOsSecretStore } from './os-secret-store.ts';

/** Parses `os`, `memory` or `file:PATH`; relative paths start at the working folder. Undefined for other text. */
export function parseSecretsLocation(text: string): SecretsLocation | undefined {
  if (text === 'os' || text === 'memory') return text;
  const path = /^file:(.+)$/s.exec(text)?.[1];
  // A shell does not expand `~` after `file:`.
  return path === undefined || path.startsWith('~') ? undefined : { file: resolve(path) };
}

/** The location of a secret store, as {@link parseSecretsLocation} reads it. */
export function formatSecretsLocation({ kind, path }: Pick<SecretStore, 'kind' | 'path'>): string {
  return path === undefined ? kind : `${kind}:${path}`;
}

/** The texts that {@link parseSecretsLocation} accepts, for the error. */
export const secretsLocations = 'It must be os, memory, or file: and a path, as in file:/etc/tallylight/key.';

/** Opens the secret store at a location. `words` replaces the advice in its errors, which names options of the headless host. */
export function openSecretStore(location: SecretsLocation, words: { instead?: string; ifGone?: string } = {}): SecretStore {
  if (location === 'os') return openOsSecretStore(words);
  return location === 'memory' ? openMemorySecretStore() : openFileSecretStore(location.file, words);
}
