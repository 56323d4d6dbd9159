import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './paths.ts';

const program = `
  import { enterStartFolder } from ${JSON.stringify(new URL('start-folder.ts', import.meta.url).href)};
  enterStartFolder('serve');
  console.log(process.cwd());
`;

/** The folder that a script is in afterwards. */
function runIn(env: Record<string, string | undefined>): string {
  const options = { cwd: root, env: { ...process.env, ...env }, encoding: 'utf8' } as const;
  return join(spawnSync(process.execPath, ['--input-type=module', '-e', program], options).stdout.trim(), '/');
}

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tallylight-start-folder-')));
  onTestFinished(() => rmdirSync(folder));
  return join(folder, '/');
}

test('paths are relative to where npm was started, not to where it runs its scripts', () => {
  const folder = makeFolder();
  expect(runIn({ INIT_CWD: folder, npm_lifecycle_event: 'serve' })).toBe(folder);
});

test.each<[string, Record<string, string | undefined>]>([
  ['npm runs another script, which starts this one', { npm_lifecycle_event: 'test' }],
  ['npm runs none', { INIT_CWD: undefined, npm_lifecycle_event: undefined }],
  ['that folder cannot be used', { INIT_CWD: join(root, 'no-such-folder'), npm_lifecycle_event: 'serve' }],
])('the folder stays where %s', (_when, env) => {
  expect(runIn({ INIT_CWD: makeFolder(), ...env })).toBe(join(root, '/'));
});
