import type { TestModule, Vitest } from 'vitest/node';

/** How many tests passed and failed. */
export interface TestCount {
  passed: number;
  failed: number;
}

/**
 * Counts the tests of a finished run. Besides failed tests, each file that does not load, each failed setup or cleanup and each
 * unhandled error counts as a failure.
 */
export function countTests(vitest: Pick<Vitest, 'state'>): TestCount {
  const count = { passed: 0, failed: vitest.state.getUnhandledErrors().length };
  for (const module of vitest.state.getTestModules()) {
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') count.passed += 1;
      if (state === 'failed' || state === 'pending') count.failed += 1;
    }
    count.failed += countGroupFailures(module);
  }
  return count;
}

function countGroupFailures(module: TestModule): number {
  const groups = [module, ...module.children.allSuites()];
  return groups.filter((group) => group.errors().length > 0).length;
}
