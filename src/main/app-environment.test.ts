import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { defaultDataFolder } from '../service/lib/data-folder.ts';
import { readAppEnvironment } from './app-environment.ts';

test('TALLYLIGHT_SECRETS names the same location as for the headless host; empty is unset', () => {
  const secretsOf = (text: string | undefined) => readAppEnvironment({ TALLYLIGHT_SECRETS: text }).secrets;
  expect([undefined, '', 'os', 'memory', 'file:key'].map(secretsOf)).toEqual([
    'os',
    'os',
    'os',
    'memory',
    { file: resolve('key') },
  ]);
});

test('TALLYLIGHT_DATA_DIR is a path from here; empty is the usual folder', () => {
  const folderOf = (text: string | undefined) => readAppEnvironment({ TALLYLIGHT_DATA_DIR: text }).dataFolder;
  expect([undefined, '', 'kept', '/kept'].map(folderOf)).toEqual([
    defaultDataFolder(),
    defaultDataFolder(),
    resolve('kept'),
    resolve('/kept'),
  ]);
});

test('what a variable cannot mean is refused, with the variable and what it can mean', () => {
  expect(() => readAppEnvironment({ TALLYLIGHT_SECRETS: 'memroy' })).toThrow(
    "TALLYLIGHT_SECRETS: The location “memroy” doesn't exist. It must be os, memory, or file: and a path, as in file:/etc/tallylight/key.",
  );
  expect(() => readAppEnvironment({ TALLYLIGHT_DATA_DIR: '~/tallylight' })).toThrow(
    "TALLYLIGHT_DATA_DIR: The data folder can't be “~/tallylight”. It must be the path of a folder, as in /var/lib/tallylight. Shells expand ~ only at the start of a word.",
  );
  expect(() => readAppEnvironment({ TALLYLIGHT_LOG_LEVEL: 'loud' })).toThrow(
    "TALLYLIGHT_LOG_LEVEL: The log level “loud” doesn't exist. Use one of trace, debug, info, warn, error, fatal, silent.",
  );
});
