import { join } from 'node:path';
import { endProcess } from '../service/lib/end-process.ts';
import { onEndSignals } from '../service/lib/end-signals.ts';
import { collectRarely } from '../service/lib/heap-growth.ts';
import { openLog } from '../service/lib/log.ts';
import { surviveLostOutput } from '../service/lib/lost-output.ts';
import { crashOnFaults, createProcessEnd } from '../service/lib/process-end.ts';
import { sentenceOf } from '../service/lib/read-error.ts';
import { keepFromBlocking } from '../service/lib/terminal.ts';
import { ServiceError } from '../shared/errors.ts';
import { parseHostOptions } from './host-options.ts';
import { jsonOutput, textOutput } from './host-output.ts';
import { type HeadlessHost, startHeadlessHost } from './start-headless-host.ts';

/** How long a failed start may take to release what it opened. */
const exitTimeoutMs = 4_500;

const uiFolder = join(import.meta.dirname, '..', 'renderer');

collectRarely();
const options = parseHostOptions(process.argv.slice(2));
const write = (text: string) => process.stdout.write(text);
const output = options.json ? jsonOutput(write) : textOutput(write);
if (process.stdout.isTTY) keepFromBlocking(process.stdout);
surviveLostOutput(process);

const { log } = await openLog({
  folder: join(options.dataFolder, 'logs'),
  level: options.logLevel,
  terminal: process.stderr.isTTY ? process.stderr : undefined,
});
let starting: Promise<HeadlessHost> | undefined;
const ending = createProcessEnd({
  async close(cause) {
    const host = await starting?.catch(() => undefined);
    await host?.close(cause);
  },
  report(error, what) {
    log.fatal({ err: error }, what);
    console.error(`Tallylight: ${what} (${sentenceOf(error)}); see the log in the data folder.`);
  },
  exit: (code) => endProcess(code),
});
onEndSignals(process, () => ending.end(0));
crashOnFaults(process, ending);

starting = startHeadlessHost({ options, uiFolder, output, log });
try {
  await starting;
} catch (error) {
  const failure = error instanceof ServiceError ? error : new ServiceError('INTERNAL', sentenceOf(error), { cause: error });
  output.failed(failure);
  console.error(`Tallylight cannot start: ${failure.message}`);
  process.exitCode = 1;
  // Nothing should keep the process alive; if something does, it must not block a program that waits for the exit.
  setTimeout(() => endProcess(1), exitTimeoutMs).unref();
}
