import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { GivenSettings } from '../service/config.ts';
import { findViolations } from '../service/lib/violations.ts';
import { EncoderChoice } from '../shared/model/encoder.ts';
import { isBlockedPort } from '../shared/model/port.ts';
import type { SettingName, SettingSource, SettingsChanges } from '../shared/model/settings.ts';
import { checkSetting, parseSetting } from '../shared/parse-setting.ts';
import { settingAdvice } from '../shared/words/setting-words.ts';
import { describeViolation } from '../shared/words/violation-words.ts';
import { withEnvironment } from './environment.ts';

/** The option of each setting, in the order of `--help`. */
const settingOptions: Readonly<Record<SettingName, { flags: string; description: string; choices?: readonly string[] }>> = {
  httpPort: {
    flags: '--http-port <number>',
    description: 'port of the API, playback and the screens; 0 is any free one (default: 4600)',
  },
  rtmpPort: {
    flags: '--rtmp-port <number>',
    description: 'port that encoders publish to; 0 is any free one (default: 1935)',
  },
  regionCode: { flags: '--region <code>', description: 'airport nearest to this computer, like ber' },
  serviceDomain: {
    flags: '--service-domain <domain>',
    description: 'domain under which others reach this computer; --service-domain= is none',
  },
  regions: {
    flags: '--regions <list>',
    description:
      'all regions behind the domain, like "ber, jfk", or with URLs: "ber rtmps://… https://…/hls"; --regions= is this one alone',
  },
  regionNetworks: {
    flags: '--region-networks <list>',
    description: 'which networks are nearest to which region, like "203.0.113.0/24 ber, 2001:db8::/32 jfk"',
  },
  regionChoice: {
    flags: '--live-region <code>',
    description: "region that Go live sends to, or 'automatic': the nearest",
  },
  changesRegion: {
    flags: '--change-region <switch>',
    description: 'let Go live switch to the next nearest region when one fails',
    choices: ['on', 'off'],
  },
  tlsCertificatePath: {
    flags: '--tls-cert <file>',
    description: 'certificate for HTTPS and RTMPS with its chain, as PEM; with its key',
  },
  tlsKeyPath: { flags: '--tls-key <file>', description: 'private key of the certificate, as PEM' },
  liveWindowSeconds: {
    flags: '--live-window <seconds>',
    description: 'how far viewers can rewind: 60 to 14400, which is 4 hours',
  },
  partMs: { flags: '--part-length <ms>', description: 'length of the parts of low-latency playback: 100 to 1000' },
  reconnectWindowSeconds: {
    flags: '--reconnect-window <seconds>',
    description: 'how long a broadcast waits for a lost encoder: 5 to 75',
  },
  encoder: { flags: '--encoder <name>', description: 'encoder of Go live and renditions', choices: EncoderChoice.options },
  lookahead: { flags: '--lookahead <switch>', description: 'look ahead in Go live', choices: ['on', 'off'] },
  loudnessTargetLufs: {
    flags: '--loudness-target <lufs>',
    description: 'how loud broadcasts should be: -30 to -9; Health warns when one is not',
  },
};

/**
 * Adds an option, and an environment variable, for every setting.
 *
 * @returns reads the settings that were given, once `command` has parsed its arguments
 */
export function addSettingOptions(command: Command): () => GivenSettings {
  command.optionsGroup('Settings, which the screens then show but cannot change:');
  const names = Object.keys(settingOptions) as SettingName[];
  const options = names.map((name) => ({ name, option: createOption(name) }));
  for (const { option } of options) command.addOption(option);
  return () => {
    const values: Partial<Record<SettingName, unknown>> = {};
    const sources: GivenSettings['sources'] = {};
    for (const { name, option } of options) {
      const source = findSource(command, option);
      if (source === undefined) continue;
      const value = command.getOptionValue(option.attributeName());
      if (value !== 0) values[name] = option.argChoices ? parseSetting(name, value) : value;
      sources[name] = source;
    }
    return { values: values as SettingsChanges, sources };
  };
}

function createOption(name: SettingName): Option {
  const { flags, description, choices } = settingOptions[name];
  const option = withEnvironment(new Option(flags, description));
  return choices ? option.choices(choices) : option.argParser((text) => parse(name, text));
}

/** The source of an option's value; undefined if it wasn't given. */
function findSource(command: Command, option: Option): SettingSource | undefined {
  const kind = command.getOptionValueSource(option.attributeName());
  if (kind === 'cli') return { kind: 'option', name: `--${option.name()}` };
  return kind === 'env' && option.envVar !== undefined ? { kind: 'environment', name: option.envVar } : undefined;
}

/** 0 is any free port, which only the command line and the environment can request. */
function parse(name: SettingName, text: string) {
  if (name === 'httpPort' || name === 'rtmpPort') return parsePort(name, text);
  const isFile = name === 'tlsCertificatePath' || name === 'tlsKeyPath';
  const result = checkSetting(name, isFile && text !== '' ? resolve(text) : text);
  if ('value' in result) return result.value;
  const [violation] = result.isList ? findViolations(result.error, result.input) : [];
  throw new InvalidArgumentError(violation ? `${describeViolation(violation)}. ${settingAdvice[name]}` : settingAdvice[name]);
}

function parsePort(name: 'httpPort' | 'rtmpPort', text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('Use a number from 0 to 65535.');
  if (name === 'httpPort' && isBlockedPort(port)) throw new InvalidArgumentError(settingAdvice.httpPort);
  return port;
}
