import { type LogLevel, parseLogLevel } from '../service/lib/log.ts';
import { sentenceOf } from '../service/lib/read-error.ts';
import type { SecretsLocation } from '../service/ports.ts';
import { parseSecretsLocation, secretsLocations } from '../service/secrets/secrets-location.ts';

/**
 * Reads how much to log and where to keep the master key. Both variables mean the same to every host, since they share a data folder: a
 * start with another place moves the keys there (decision 0012). Unset or empty means `info`, and the OS keychain.
 *
 * @throws {Error} with a sentence that names the variable
 */
export function readAppEnvironment(env: NodeJS.ProcessEnv): { level: LogLevel; secrets: SecretsLocation } {
  return {
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

function parseSecrets(text: string | undefined): SecretsLocation {
  const place = parseSecretsLocation(text || 'os');
  if (place === undefined) throw new Error(`The place “${text}” doesn't exist. ${secretsLocations}`);
  return place;
}
