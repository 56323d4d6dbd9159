import { resolve } from 'node:path';
import type { SecretStore } from '../ports.ts';
import { openFileSecretStore } from './file-secret-store.ts';
import { openMemorySecretStore } from './memory-secret-store.ts';
import { openOsSecretStore } from './os-secret-store.ts';

/** Where secrets are kept: the OS keychain, the memory of the process, or a file of this absolute path. */
export type SecretsPlace = 'os' | 'memory' | { file: string };

/** Reads `os`, `memory` or `file:PATH`; a relative path counts from the working folder. Undefined for any other text. */
export function parseSecretsPlace(text: string): SecretsPlace | undefined {
  if (text === 'os' || text === 'memory') return text;
  const path = /^file:(.+)$/s.exec(text)?.[1];
  // No shell has put a home folder in its place there.
  return path === undefined || path.startsWith('~') ? undefined : { file: resolve(path) };
}

/** What {@link parseSecretsPlace} takes, for those whose text it did not. */
export const secretsPlaces = 'It must be os, memory, or file: and a path, as in file:/etc/tallylight/key.';

/** Opens the secret store of a place. */
export function openSecretStore(place: SecretsPlace): SecretStore {
  if (place === 'os') return openOsSecretStore();
  return place === 'memory' ? openMemorySecretStore() : openFileSecretStore(place.file);
}
