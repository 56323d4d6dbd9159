import { Command, InvalidArgumentError, Option } from 'commander';
import type { GivenSettings } from '../service/config.ts';
import { bracketHost, unbracketHost } from '../service/lib/host-address.ts';
import { type LogLevel, logLevels } from '../service/lib/log.ts';
import { version } from '../service/lib/version.ts';
import type { SecretsLocation } from '../service/ports.ts';
import { createDataFolderOption, requireSecretsLocation } from './common-options.ts';
import { withEnvironment } from './environment.ts';
import { addSettingOptions } from './setting-options.ts';

/** The headless host's command line options. */
export interface HostOptions {
  dataFolder: string;
  /** An address or a name, as URLs have it, without brackets. */
  host: string;
  /** Absent: the port in Settings, or the next free one. 0: any free port. */
  httpPort?: number;
  rtmpPort?: number;
  secrets: SecretsLocation;
  /** Whether a lost key is given up for a new one. */
  newStreamKeys: boolean;
  logLevel: LogLevel;
  json: boolean;
  /** The settings among the options and variables, the ports too. */
  givenSettings: GivenSettings;
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
    .addOption(createDataFolderOption('where to keep streams, keys and logs'))
    .addOption(
      withEnvironment(new Option('--host <address>', 'address to listen on')).argParser(requireHost).default('127.0.0.1'),
    )
    .addOption(
      withEnvironment(
        new Option('--secrets <location>', 'where to keep the key that encrypts secrets: os, memory or file:PATH'),
      )
        .argParser(requireSecretsLocation)
        .default('os', 'the OS keychain'),
    )
    // Has no environment variable: it is for one start.
    .option('--new-stream-keys', 'give all streams new stream keys, if the key that encrypts them is lost', false)
    .addOption(withEnvironment(new Option('--log-level <level>', 'how much to log')).choices(logLevels).default('info'))
    .option('--json', 'print events as JSON lines, the first when everything is ready', false)
    .allowExcessArguments(false);
  const readGivenSettings = addSettingOptions(command);
  command.parse(args, { from: 'user' });
  const { dataDir, host, httpPort, rtmpPort, secrets, newStreamKeys, logLevel, json } = command.opts<
    Omit<HostOptions, 'dataFolder' | 'givenSettings'> & { dataDir: string }
  >();
  return {
    dataFolder: dataDir,
    host,
    ...(httpPort !== undefined && { httpPort }),
    ...(rtmpPort !== undefined && { rtmpPort }),
    secrets,
    newStreamKeys,
    logLevel,
    json,
    givenSettings: readGivenSettings(),
  };
}

/**
 * Reads the value of `--host`, spelled as in URLs: `0` is `0.0.0.0`, and `::0` is `::`.
 *
 * An empty text is refused, since Node takes it for all addresses, and so is a text that no URL can contain: all our URLs would be invalid.
 */
function requireHost(text: string): string {
  const url = URL.parse(`http://${bracketHost(text)}`);
  if (url === null || url.href !== `http://${url.host}/`) {
    throw new InvalidArgumentError(
      'Use an address or a name of this computer, such as 127.0.0.1, or 0.0.0.0 for all its addresses.',
    );
  }
  return unbracketHost(url.hostname);
}
