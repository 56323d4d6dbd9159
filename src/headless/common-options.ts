import { InvalidArgumentError, Option } from 'commander';
import { dataFolderPaths, defaultDataFolder, parseDataFolderPath } from '../service/lib/data-folder.ts';
import type { SecretsLocation } from '../service/ports.ts';
import { parseSecretsLocation, secretsLocations } from '../service/secrets/secrets-location.ts';
import { withEnvironment } from './environment.ts';

/** `--data-dir`, whose default is the platform's usual folder. */
export function createDataFolderOption(description: string): Option {
  return withEnvironment(new Option('--data-dir <folder>', description))
    .argParser(requireDataFolder)
    .default(defaultDataFolder());
}

function requireDataFolder(text: string): string {
  const folder = parseDataFolderPath(text);
  if (folder === undefined) throw new InvalidArgumentError(dataFolderPaths);
  return folder;
}

/** Reads the value of `--secrets`. */
export function requireSecretsLocation(text: string): SecretsLocation {
  const location = parseSecretsLocation(text);
  if (location === undefined) throw new InvalidArgumentError(secretsLocations);
  return location;
}
