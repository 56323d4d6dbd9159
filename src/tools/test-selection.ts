/** The groups of tests: the projects of `test/vitest.config.ts`. */
const groups: readonly string[] = ['unit', 'integration', 'e2e', 'alone'];

/** Which tests a command line names. */
export interface TestSelection {
  /** Groups to run; empty: all. */
  groups: string[];
  /** Parts of paths of files; empty: all. */
  paths: string[];
  /** Whether these are unit tests only, which need neither a build nor any program beside Node. */
  isUnitOnly: boolean;
}

/** Tells groups, like `unit`, from parts of paths. */
export function selectTests(words: readonly string[]): TestSelection {
  const [named, paths] = [words.filter((word) => groups.includes(word)), words.filter((word) => !groups.includes(word))];
  const isUnitPath = (path: string) => /^src[/\\]/.test(path);
  const isUnitOnly = named.length > 0 ? named.every((group) => group === 'unit') : paths.length > 0 && paths.every(isUnitPath);
  return { groups: named, paths, isUnitOnly };
}
