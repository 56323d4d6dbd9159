import { createCLI } from 'vitest/node';

type TestOptions = ReturnType<ReturnType<typeof createCLI>['parse']>['options'];

/**
 * Reads the arguments after `npm test --`, as vitest's own command line does: words that select tests, and options. Undefined if they
 * request vitest's help or version, which have then been printed.
 *
 * @throws {Error} with a sentence for an option that vitest doesn't have
 */
export function parseTestOptions(args: readonly string[]): { words: string[]; options: TestOptions } | undefined {
  const cli = createCLI();
  const { args: words, options } = cli.parse(['node', 'vitest', 'run', ...args], { run: false });
  if (cli.matchedCommand === undefined) return undefined;
  cli.matchedCommand.checkUnknownOptions();
  return { words: [...words], options };
}
