/** The groups of tests: the projects in `test/vitest.config.ts`. */
const groups: readonly string[] = ['unit', 'integration', 'e2e', 'timed', 'alone'];

/** The tests that a command line selects. */
export interface TestSelection {
  /** Groups to run; empty means all. */
  groups: string[];
  /** Parts of file paths; empty means all. */
  paths: string[];
  /** Whether these are only unit tests, which need neither a build nor any program besides Node. */
  isUnitOnly: boolean;
}

/** Separates groups, like `unit`, from parts of paths. */
export function selectTests(words: readonly string[]): TestSelection {
  const [named, paths] = [words.filter((word) => groups.includes(word)), words.filter((word) => !groups.includes(word))];
  const isUnitPath = (path: string) => /^src[/\\]/.test(path);
  const isUnitOnly = named.length > 0 ? named.every((group) => group === 'unit') : paths.length > 0 && paths.every(isUnitPath);
  return { groups: named, paths, isUnitOnly };
}
