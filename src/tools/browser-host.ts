import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { SecretsFault } from '../shared/model/secrets-fault.ts';
import { describeSecretsFault } from '../shared/words/secrets-words.ts';
import { endWithin } from './end-within.ts';
import { openBrowser } from './open-browser.ts';
import { headlessHost } from './paths.ts';

/** A line the headless host prints with `--json`. */
type HostEvent =
  | { event: 'ready'; ingestBaseUrl: string; uiUrl: string }
  | { event: 'ui-url'; uiUrl: string }
  | { event: 'notice'; sentence: string }
  | { event: 'failed'; code: string; secretsFault?: SecretsFault };

/**
 * Runs the service with its screens in a browser until it ends or `signal` aborts; returns the exit code.
 *
 * Without a keychain it prints that and continues, so that people who try Tallylight can see their stream. If `TALLYLIGHT_SECRETS`
 * names a location of the secrets, only that one is used: any other would give all streams new keys.
 */
export async function runBrowserHost(signal: AbortSignal): Promise<number> {
  if (process.env.TALLYLIGHT_SECRETS) return (await runHost(undefined, signal)).exitCode;
  const run = await runHost('os', signal);
  if (run.keychainFault === undefined) return run.exitCode;
  console.log(describeSecretsFault(run.keychainFault, 'app'));
  return (await runHost('memory', signal)).exitCode;
}

interface HostRun {
  exitCode: number;
  /** Why it ended at once, if `os` was requested and there is no keychain. */
  keychainFault?: SecretsFault | undefined;
}

/**
 * Runs the host and prints what it reports, except why there is no keychain if `secrets` is `os`.
 *
 * @param secrets for the option; undefined leaves it to the environment
 */
async function runHost(secrets: 'os' | 'memory' | undefined, signal: AbortSignal): Promise<HostRun> {
  const options = ['--json', ...(secrets === undefined ? [] : ['--secrets', secrets])];
  const child = spawn(process.execPath, [headlessHost, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const stop = () => endWithin(child);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const saidWhenFailing = text(child.stderr);
  let removeOpener: (() => void) | undefined;
  let keychainFault: SecretsFault | undefined;

  createInterface(child.stdout).on('line', (line) => {
    const said = JSON.parse(line) as HostEvent;
    if (said.event === 'failed' && said.code === 'KEYCHAIN_UNAVAILABLE' && secrets === 'os') keychainFault = said.secretsFault;
    else if (said.event === 'notice') console.log(said.sentence);
    else if (said.event === 'ui-url') console.log(`To open another browser: ${said.uiUrl}`);
    else if (said.event === 'ready') {
      console.log(`Tallylight is running. Press Ctrl-C to stop it.\nOpen it in your browser: ${said.uiUrl}`);
      removeOpener = openBrowser(said.uiUrl);
    }
  });

  const [code] = await exited;
  signal.removeEventListener('abort', stop);
  removeOpener?.();
  if (keychainFault === undefined) process.stderr.write(await saidWhenFailing);
  return { exitCode: signal.aborted ? 0 : (code ?? 1), keychainFault };
}
