import { surviveLostOutput } from '../service/lib/lost-output.ts';
import { runCommandLine } from './command-line.ts';

// Whoever reads the output may stop early: `inspect … | head`.
surviveLostOutput(process);
process.exitCode = await runCommandLine(process.argv.slice(2), {
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
});
