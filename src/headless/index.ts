import { join } from 'node:path';
import { ServiceError } from '../shared/errors.ts';
import { parseHostOptions } from './host-options.ts';
import { jsonOutput, textOutput } from './host-output.ts';
import { type HeadlessHost, startHeadlessHost } from './start-headless-host.ts';

/** Closing that takes longer is given up: whoever sent the signal waits no more than 5 s. */
const closeTimeoutMs = 4_500;

const uiFolder = join(import.meta.dirname, '..', 'renderer');

const options = parseHostOptions(process.argv.slice(2));
const write = (text: string) => process.stdout.write(text);
const output = options.json ? jsonOutput(write) : textOutput(write);
// Whoever reads us may go first; that is no reason to end a broadcast.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

let starting: Promise<HeadlessHost> | undefined;
let closing: Promise<never> | undefined;

/** Closes what runs and ends the process; a second call changes nothing: npm and a terminal each send their own signal. */
function close(exitCode: number): Promise<never> {
  closing ??= (async () => {
    const tooLong = setTimeout(() => process.exit(1), closeTimeoutMs);
    const host = await starting?.catch(() => undefined);
    await host?.close();
    clearTimeout(tooLong);
    process.exit(exitCode);
  })();
  return closing;
}

/** A bug has shown itself: the state is unknown, so everything is closed. The log has the whole of it. */
async function crash(error: unknown) {
  const host = await starting?.catch(() => undefined);
  host?.log.fatal({ err: error }, 'a fault of Tallylight ended it');
  console.error('Tallylight ended by a fault of its own; the log in the data folder tells more.');
  await close(1);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void close(0));
process.on('uncaughtException', crash);

starting = startHeadlessHost({ options, uiFolder, output, terminal: process.stderr.isTTY ? process.stderr : undefined });
try {
  await starting;
} catch (error) {
  const failure = error instanceof ServiceError ? error : new ServiceError('INTERNAL', message(error), { cause: error });
  output.failed(failure);
  console.error(`Tallylight cannot start: ${failure.message}`);
  process.exitCode = 1;
  // Nothing should be left that keeps the process; if something is, it must not keep whoever waits for the exit.
  setTimeout(() => process.exit(), closeTimeoutMs).unref();
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
