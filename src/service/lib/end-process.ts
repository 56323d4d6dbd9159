import { existsSync } from 'node:fs';
import { setBlocking } from './terminal.ts';

/**
 * Ends this process with `exitCode` once its `exit` listeners have run, even while a thread is blocked in a system call: on a keychain
 * that asks its user, a name server, or a folder of a file server that is gone.
 *
 * Node's own exit joins the threads of libuv's pool and its workers, so one blocked thread keeps the process alive, and we can't detect
 * it: nothing lists the work of native modules in the pool. execve(2) ends every thread at once. So a shell always takes this process's
 * place, and exits with the code. On Windows, which has no execve, and without a shell, Node exits as usual.
 */
export function endProcess(exitCode: number, { shell = '/bin/sh' }: { shell?: string } = {}): void {
  // Registered last, so that earlier listeners can still close their files.
  process.once('exit', (code) => {
    if (process.platform === 'win32' || process.execve === undefined || !existsSync(shell)) return;
    // As Node does when it exits, since other processes may share them.
    for (const stream of [process.stdin, process.stdout, process.stderr]) setBlocking(stream, true);
    try {
      process.execve(shell, ['sh', '-c', `exit ${code}`], {});
    } catch {
      // If execve fails, Node 24.21 aborts and later versions throw; after a throw, Node exits as usual.
    }
  });
  process.exit(exitCode);
}
