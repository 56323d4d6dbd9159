import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './support/longest-first.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A file for each core: hosts, encoders and browsers keep it busy, and more files would only wait longer for each other. */
const maxWorkers = availableParallelism();
/** The same holds for the cases of one file. */
const maxConcurrency = 4;
/**
 * How long a test or hook may take before it hangs: far more than any needs on a busy computer, and more than each wait inside, which
 * fails first and says what it waited for.
 */
const patienceMs = 120_000;

/** The tests of a folder, which run against real programs. */
const project = (name: string, { groupOrder, maxWorkers }: { groupOrder: number; maxWorkers: number }) => ({
  root,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: patienceMs,
    hookTimeout: patienceMs,
    pool: 'forks' as const,
    isolate: false,
    sequence: { groupOrder },
    maxWorkers,
    maxConcurrency,
  },
});

/**
 * Five projects, separated by folder, in four groups that run one after another; `test/README.md` says what goes where.
 *
 * A test that fails once has failed: nothing is retried. Unhandled errors fail the run.
 */
export default defineConfig({
  root,
  test: {
    dangerouslyIgnoreUnhandledErrors: false,
    passWithNoTests: false,
    retry: 0,
    // What a page shows follows what its service did, on a computer that may be busy.
    expect: { poll: { timeout: 20_000 } },
    globalSetup: ['test/support/run-folder.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        root,
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}', 'test/support/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
          // Each worker loads modules once: files must leave no other state behind.
          isolate: false,
          // They wait for time limits, which costs nothing: on two cores, six workers take 54 s, two take 95 s.
          maxWorkers: Math.max(maxWorkers, 6),
          maxConcurrency: 12,
          // First: these find the most in the least time.
          sequence: { groupOrder: 1 },
        },
      },
      project('integration', { groupOrder: 2, maxWorkers }),
      project('e2e', { groupOrder: 2, maxWorkers }),
      // A core for each: these assert that something takes no longer than some seconds, or that nothing stalls or is dropped.
      project('timed', { groupOrder: 3, maxWorkers }),
      // Last: nothing else may run while these measure fractions of a second, or take every core.
      project('alone', { groupOrder: 4, maxWorkers: 1 }),
    ],
  },
});
