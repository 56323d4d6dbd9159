import { join } from 'node:path';
import { startVitest } from 'vitest/node';
import { buildIfStale } from './build-if-stale.ts';
import { exitOnSignals } from './exit-on-signals.ts';
import { root } from './paths.ts';
import { countTests, type TestCount } from './test-count.ts';
import { startTestKeyring, type TestKeyring } from './test-keyring.ts';
import { ensureTestNeeds } from './test-needs.ts';
import { parseTestOptions } from './test-options.ts';
import { selectTests } from './test-selection.ts';

/**
 * Runs the tests that the command line selects by group or path, or all. The last line on standard output is `N passed, N failed`.
 *
 * Unit tests alone start at once: nothing is installed, built or unlocked for them. Undefined if only help was asked for.
 */
async function runTests(): Promise<TestCount | undefined> {
  let keyring: TestKeyring | undefined;
  exitOnSignals(async () => keyring?.close());
  try {
    const asked = parseTestOptions(process.argv.slice(2));
    if (asked === undefined) return undefined;
    const { words, options } = asked;
    const { groups, paths, isUnitOnly } = selectTests(words);
    if (!isUnitOnly) {
      await ensureTestNeeds();
      await buildIfStale();
      if (process.platform === 'linux') {
        keyring = await startTestKeyring();
        Object.assign(process.env, keyring.env, { TALLYLIGHT_TEST_KEYRING: '1' });
      }
    }
    const vitest = await startVitest(paths, {
      ...options,
      ...(groups.length > 0 && { project: groups }),
      config: join(root, 'test', 'vitest.config.ts'),
      root,
      run: true,
      watch: false,
    });
    const count = countTests(vitest);
    await vitest.close();
    return count;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  } finally {
    await keyring?.close();
  }
}

const count = await runTests();
if (count === undefined) process.exit(0);
const { passed, failed } = count;
const worked = failed === 0 && passed > 0;
process.stdout.write(`${passed} passed, ${failed} failed\n`, () => process.exit(worked ? 0 : 1));
