import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { copyProbes, isEmptyFolder } from './probed-ffmpeg.ts';

/** A host that has not closed this long after SIGTERM never will. That it closes in under 5 s is tested in `test/timed`. */
const closePatienceMs = 30_000;

const program = fileURLToPath(new URL('../../out/main/headless.js', import.meta.url));
const keyProgram = fileURLToPath(new URL('../../out/main/tallylight.js', import.meta.url));

/** The first line the host prints with `--json`. */
export interface ReadyLine {
  event: 'ready';
  apiBaseUrl: string;
  ingestBaseUrl: string;
  playbackBaseUrl: string;
  uiUrl: string;
}

/** The built headless host as a process of its own. */
export interface TestHost extends AsyncDisposable {
  ready: ReadyLine;
  /** Every line it has printed, the ready line first. */
  lines: readonly string[];
  dataFolder: string;
  pid: number;
  /** Resolves with the first line of an event, or the one after `skip` others, whenever it is printed. */
  getEvent(event: string, skip?: number): Promise<Record<string, unknown>>;
  /** Creates an API key with the command line. */
  createApiKey(name?: string): Promise<string>;
  /** Stops it with SIGTERM; rejects unless it exits with 0. Removes the data folder if the host created it. */
  close(): Promise<void>;
  /** Sends a signal and returns the exit code; `close` need not be called after it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Stops it from running (SIGSTOP), like a computer that hangs, until it is resumed. */
  pause(): void;
  resume(): void;
  /** Sends SIGHUP, as the kernel does when a terminal is closed. */
  hangUp(): void;
  /** Kills it with SIGKILL, as a crash would; keeps the data folder. */
  kill(): Promise<void>;
}

/** How a program exited, and its output. */
export interface ProgramRun {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Starts the built host on free ports, with secrets in memory, and waits until it is ready. */
export async function startTestHost({
  dataFolder,
  args = [],
  env = {},
  defaultPorts = false,
  maxDescriptors,
}: {
  dataFolder?: string;
  /** Options in addition to those of every test; the last of two equal ones applies. */
  args?: readonly string[];
  /** Whether to pass no port options. */
  defaultPorts?: boolean;
  env?: Record<string, string>;
  /** Limit of open files and sockets (RLIMIT_NOFILE, getrlimit(2)). */
  maxDescriptors?: number;
} = {}): Promise<TestHost> {
  const folder = dataFolder ?? mkdtempSync(join(tmpdir(), 'tallylight-host-'));
  if (isEmptyFolder(folder)) await copyProbes(folder);
  const ports = defaultPorts ? [] : ['--http-port', '0', '--rtmp-port', '0'];
  const options = ['--data-dir', folder, ...ports, '--secrets', 'memory', '--json', ...args];
  const command = [
    ...(maxDescriptors === undefined ? [] : ['prlimit', `--nofile=${maxDescriptors}`]),
    ...[process.execPath, program, ...options],
  ];
  const child = spawn(command[0] as string, command.slice(1), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const errors = text(child.stderr);
  const removeFolder = () => {
    if (dataFolder === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const lines: string[] = [];
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line));
  const first = await Promise.race([once(reader, 'line'), exited.then(() => undefined)]);
  const ready = first && (JSON.parse(first[0]) as ReadyLine);
  if (ready?.event !== 'ready') {
    await exited;
    removeFolder();
    throw new Error(`The host did not start: ${await errors}`);
  }

  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= end(child, exited, errors).finally(removeFolder);
    return closing;
  };
  return {
    ready,
    lines,
    dataFolder: folder,
    pid: child.pid as number,
    async getEvent(event, skip = 0) {
      let left = skip;
      for (let index = 1; ; index += 1) {
        if (lines[index] === undefined) await once(reader, 'line');
        const said = JSON.parse(lines[index] as string) as Record<string, unknown>;
        if (said.event === event && left-- === 0) return said;
      }
    },
    async createApiKey(name = 'test') {
      const { exitCode, stdout, stderr } = await runProgram(keyProgram, ['keys', 'create', name, '--data-dir', folder]);
      if (exitCode !== 0) throw new Error(`No API key: ${stderr}`);
      return stdout.trim();
    },
    close,
    async end(signal) {
      closing = exited.then(removeFolder);
      child.kill(signal);
      return (await exited)[0];
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    hangUp: () => void child.kill('SIGHUP'),
    async kill() {
      closing = Promise.resolve();
      child.kill('SIGKILL');
      await exited;
    },
    [Symbol.asyncDispose]: close,
  };
}

async function end(
  child: ChildProcessByStdio<null, Readable, Readable>,
  exited: Promise<[number | null]>,
  errors: Promise<string>,
) {
  const late = setTimeout(() => child.kill('SIGKILL'), closePatienceMs);
  child.kill('SIGTERM');
  const [code] = await exited;
  clearTimeout(late);
  if (code !== 0) throw new Error(`The host ended with ${code ?? 'a signal after 30 s'} instead of 0: ${await errors}`);
}

/** Runs the built headless host to its end: for starts that are refused. */
export function runHost(args: readonly string[], env: Record<string, string> = {}): Promise<ProgramRun> {
  return runProgram(program, args, env);
}

/** Runs the built command line `tallylight` to its end. */
export function runTallylight(args: readonly string[]): Promise<ProgramRun> {
  return runProgram(keyProgram, args);
}

async function runProgram(path: string, args: readonly string[], env: Record<string, string> = {}): Promise<ProgramRun> {
  const child = spawn(process.execPath, [path, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { exitCode, stdout, stderr };
}
