import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { endWithin } from '../../src/tools/end-within.ts';
import type { ElectronHost, InMain } from './electron-host.ts';
import type { EvaluateAnswer, EvaluateRequest } from './electron-stand-in/remote-control.ts';

const register = new URL('./electron-stand-in/register.ts', import.meta.url).href;

/** The command that runs the built main process on the stand-in. */
export function standInCommand(main: string): [command: string, args: string[]] {
  return [process.execPath, ['--import', register, main]];
}

/** Starts the built main process on the stand-in, in its own process. */
export async function startStandIn(main: string, env: Record<string, string>): Promise<ElectronHost> {
  const child = spawn(...standInCommand(main), {
    env,
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  let browser: Promise<Browser> | undefined;
  let lastId = 0;
  const answers = new Map<number, (answer: EvaluateAnswer) => void>();
  child.on('message', (answer: EvaluateAnswer) => {
    answers.get(answer.id)?.(answer);
    answers.delete(answer.id);
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const failed = exited.then((code): never => {
    throw new Error(`The app ended with ${code}: ${stderr}`);
  });
  failed.catch(() => {});

  const inMain = async <Result, Argument>(run: InMain<Result, Argument>, argument?: Argument): Promise<Result> => {
    const request: EvaluateRequest = { id: ++lastId, source: run.toString(), argument };
    const answered = new Promise<EvaluateAnswer>((resolve) => answers.set(request.id, resolve));
    child.send(request);
    const answer = await Promise.race([answered, failed]);
    if ('error' in answer) throw new Error(answer.error);
    return answer.result as Result;
  };
  const window = async (): Promise<Page> => {
    const profileFolder = await inMain(({ app }) => app.whenReady().then(() => app.getPath('userData')));
    browser ??= connect(profileFolder);
    return Promise.race([findPage(await browser), failed]);
  };
  return {
    pid: child.pid as number,
    stderr: () => stderr,
    window,
    inMain,
    signal: (signal) => void child.kill(signal),
    exited,
    [Symbol.asyncDispose]: async () => {
      endWithin(child);
      await exited;
      await (await browser?.catch(() => undefined))?.close();
    },
  };
}

/** A second connection to the app's Chromium: the first line of the file is the port it listens on. */
async function connect(profileFolder: string): Promise<Browser> {
  const [port] = readFileSync(join(profileFolder, 'DevToolsActivePort'), 'utf8').split('\n');
  return chromium.connectOverCDP(`http://127.0.0.1:${port}`);
}

async function findPage(browser: Browser): Promise<Page> {
  for (;;) {
    const pages = browser.contexts().flatMap((context) => context.pages());
    const page = pages.find((candidate) => candidate.url() !== 'about:blank');
    if (page !== undefined) return page;
    await sleep(20);
  }
}
