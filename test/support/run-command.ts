import { runCommandLine } from '../../src/cli/command-line.ts';

/** Runs a `tallylight` command in this process; returns its exit status and output. */
export async function runCommand(...args: string[]) {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const status = await runCommandLine(args, {
    print: (text) => stdout.push(text),
    printError: (text) => stderr.push(text),
  });
  return { status, stdout: stdout.join(''), stderr: stderr.join('') };
}
