import { runCommandLine } from './command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
});
