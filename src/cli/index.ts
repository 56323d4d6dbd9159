import { runCommandLine } from './command-line.ts';
import { endWithoutOutput } from './end-without-output.ts';

endWithoutOutput(process);
process.exitCode = await runCommandLine(process.argv.slice(2), {
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
});
