import { existsSync } from 'node:fs';
import { setBlocking } from './terminal.ts';

/**
 * Ends this process with `exitCode` once its `exit` listeners have run, even while a thread waits in the system: for a keychain that asks its
 * user, a name server, or a folder of a server that is gone.
 *
 * Node's own exit joins the threads of libuv's pool and its workers, so one that waits for ever keeps the process, and nothing here can tell
 * whether one does: what native modules do in the pool is listed nowhere. execve(2) ends every thread at once. So a shell always takes
 * this process's place, and exits with the code. Windows has no execve: there, as where there is no shell, Node exits.
 */
export function endProcess(exitCode: number, { shell = '/bin/sh' }: { shell?: string } = {}): void {
  // The last listener: those before it close what they must.
  process.once('exit', (code) => {
    if (process.platform === 'win32' || process.execve === undefined || !existsSync(shell)) return;
    // As Node does when it exits: others may share them.
    for (const stream of [process.stdin, process.stdout, process.stderr]) setBlocking(stream, true);
    try {
      process.execve(shell, ['sh', '-c', `exit ${code}`], {});
    } catch {
      // Node 24.21 aborts if it fails, later ones throw: then Node exits.
    }
  });
  process.exit(exitCode);
}
