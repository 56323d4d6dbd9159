import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { defaultDataFolder } from '../service/lib/data-folder.ts';
import { type LogLevel, logLevels } from '../service/lib/log.ts';
import { version } from '../service/lib/version.ts';
import { parseSecretsLocation, type SecretsLocation, secretsLocations } from '../service/secrets/secrets-location.ts';

/** The headless host's command line options. */
export interface HostOptions {
  dataFolder: string;
  host: string;
  /** Absent: the port in Settings, or the next free one. 0: any free port. */
  httpPort?: number;
  rtmpPort?: number;
  secrets: SecretsLocation;
  logLevel: LogLevel;
  json: boolean;
}

/**
 * Reads the headless host's command line (without the program's own path), and the environment variables that replace options.
 *
 * `--help` and `--version` print and exit with 0; a wrong option exits with a sentence and 1.
 */
export function parseHostOptions(args: readonly string[]): HostOptions {
  const command = new Command('npm run serve --')
    .description('Runs the live streaming service without a window. Its screens open in a browser.')
    .version(version)
    .option('--data-dir <folder>', 'where to keep streams, keys and logs', defaultDataFolder())
    .option('--http-port <number>', 'port of the API, playback and the screens; 0 is any free one (default: 4600)', parsePort)
    .option('--rtmp-port <number>', 'port that encoders publish to; 0 is any free one (default: 1935)', parsePort)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addOption(
      new Option('--secrets <place>', 'where to keep the key that encrypts secrets: os, memory or file:PATH')
        .argParser(parseSecrets)
        .default('os', 'the OS keychain'),
    )
    .addOption(
      new Option('--log-level <level>', 'how much to log').choices(logLevels).default('info').env('TALLYLIGHT_LOG_LEVEL'),
    )
    .option('--json', 'print events as JSON lines, the first when everything is ready', false)
    .allowExcessArguments(false)
    .parse(args, { from: 'user' });
  const { dataDir, ...rest } = command.opts<Omit<HostOptions, 'dataFolder'> & { dataDir: string }>();
  return { ...rest, dataFolder: resolve(dataDir) };
}

function parseSecrets(text: string): SecretsLocation {
  const place = parseSecretsLocation(text);
  if (place === undefined) throw new InvalidArgumentError(secretsLocations);
  return place;
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('Use a number from 0 to 65535.');
  return port;
}
