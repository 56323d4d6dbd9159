import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A program of the benchmark in a separate process. It uses IPC, which keeps secrets out of its arguments. */
export interface Child extends AsyncDisposable {
  pid: number;
  /** Sends a message and resolves with the reply. */
  ask<Answer>(question: object | string): Promise<Answer>;
}

const endTimeoutMs = 3_000;

/** Starts `bench/processes/<name>.ts`. */
export function startChild(name: string): Child {
  const child = fork(new URL(`./processes/${name}.ts`, import.meta.url), { stdio: ['ignore', 2, 2, 'ipc'] });
  const ended = once(child, 'exit');
  // A question to an ended process: the code below reports its end.
  child.on('error', () => {});
  return {
    pid: child.pid as number,
    async ask<Answer>(question: object | string) {
      child.send(question);
      const [answer] = await Promise.race([
        once(child, 'message'),
        ended.then(() => Promise.reject(new Error(`${name} ended before it answered.`))),
      ]);
      return answer as Answer;
    },
    [Symbol.asyncDispose]: () => end(child, ended),
  };
}

async function end(child: ChildProcess, ended: Promise<unknown>) {
  if (child.connected) child.disconnect();
  const late = setTimeout(() => child.kill('SIGKILL'), endTimeoutMs);
  await ended;
  clearTimeout(late);
}
