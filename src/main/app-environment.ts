import { dataFolderPaths, defaultDataFolder, parseDataFolderPath } from '../service/lib/data-folder.ts';
import { type LogLevel, parseLogLevel } from '../service/lib/log.ts';
import { sentenceOf } from '../service/lib/read-error.ts';
import type { SecretsLocation } from '../service/ports.ts';
import { parseSecretsLocation, secretsLocations } from '../service/secrets/secrets-location.ts';

/** The values of the desktop app's environment variables. */
export interface AppEnvironment {
  dataFolder: string;
  level: LogLevel;
  secrets: SecretsLocation;
}

/**
 * Reads where the data folder is, how much to log and where to keep the master key. The variables mean the same to every host, since they
 * share a data folder: a start with another location moves the keys there (decision 0012). Unset or empty means the usual folder, `info`,
 * and the OS keychain.
 *
 * @throws {Error} with a sentence that names the variable
 */
export function readAppEnvironment(env: NodeJS.ProcessEnv): AppEnvironment {
  return {
    dataFolder: parseVariable(env, 'TALLYLIGHT_DATA_DIR', parseDataFolder),
    level: parseVariable(env, 'TALLYLIGHT_LOG_LEVEL', parseLogLevel),
    secrets: parseVariable(env, 'TALLYLIGHT_SECRETS', parseSecrets),
  };
}

function parseVariable<Value>(env: NodeJS.ProcessEnv, name: string, parse: (text: string | undefined) => Value): Value {
  try {
    return parse(env[name]);
  } catch (error) {
    throw new Error(`${name}: ${sentenceOf(error)}`, { cause: error });
  }
}

function parseDataFolder(text: string | undefined): string {
  if (!text) return defaultDataFolder();
  const folder = parseDataFolderPath(text);
  if (folder === undefined) throw new Error(`The data folder can't be “${text}”. ${dataFolderPaths}`);
  return folder;
}

function parseSecrets(text: string | undefined): SecretsLocation {
  const location = parseSecretsLocation(text || 'os');
  if (location === undefined) throw new Error(`The location “${text}” doesn't exist. ${secretsLocations}`);
  return location;
}
