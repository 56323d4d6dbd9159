import type { Option } from 'commander';

/**
 * Lets an environment variable replace an option, unless the option is given too: `TALLYLIGHT_PART_LENGTH` for `--part-length`.
 *
 * An empty variable counts as unset: a compose file passes one for every value that its user left out.
 */
export function withEnvironment(option: Option): Option {
  const name = `TALLYLIGHT_${option.name().replaceAll('-', '_').toUpperCase()}`;
  return process.env[name] === '' ? option : option.env(name);
}
