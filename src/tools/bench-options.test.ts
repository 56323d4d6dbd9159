import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.ts';

test.each([
  [['--only', 'nope'], /^--only accepts ingest, .*, start, not "nope"\.\n$/],
  [['--seconds', '0'], /^--seconds accepts integers from 1, not "0"\.\n$/],
  [['--nope'], /^Unknown option '--nope'\n$/],
])('npm run bench refuses %j with a sentence, without a stack', (args, sentence) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bench', 'index.ts'), ...args], {
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(sentence) });
});
