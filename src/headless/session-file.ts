import { readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { codeOf } from '../service/lib/read-error.ts';
import type { Logger } from '../service/ports.ts';

const Hash = z.string().regex(/^[\da-f]{64}$/);

/** A browser's session as stored: only hashes, so that reading the file opens nothing. */
export const KeptSession = z.object({ cookieHash: Hash, pageHash: Hash, lastUsedAt: z.int() });
export type KeptSession = z.infer<typeof KeptSession>;

/** Stores the sessions of browsers beyond the process. */
export interface SessionFile {
  read(): KeptSession[];
  /** Doesn't wait for the disk; if several writes are waiting, only the newest is done. */
  write(sessions: readonly KeptSession[]): void;
  /** Resolves once nothing is waiting. */
  flush(): Promise<void>;
}

/**
 * A {@link SessionFile} at `path`, readable by the user only. Read and write errors are logged: browsers then need a new URL.
 */
export function openSessionFile(path: string, log: Pick<Logger, 'warn'>): SessionFile {
  let waiting: string | undefined;
  let running: Promise<void> | undefined;
  const replace = async (text: string) => {
    try {
      await rm(`${path}.new`, { force: true });
      await writeFile(`${path}.new`, text, { mode: 0o600, flag: 'wx' });
      await rename(`${path}.new`, path);
    } catch (error) {
      log.warn({ err: error }, 'Browser sessions cannot be saved and will not survive a restart');
    }
  };
  const run = async () => {
    while (waiting !== undefined) {
      const text = waiting;
      waiting = undefined;
      await replace(text);
    }
    running = undefined;
  };
  return {
    read() {
      try {
        return z.array(KeptSession).parse(JSON.parse(readFileSync(path, 'utf8')));
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') {
          log.warn({ err: error }, 'Saved browser sessions cannot be read; each browser needs a new URL');
        }
        return [];
      }
    },
    write(sessions) {
      waiting = JSON.stringify(sessions);
      running ??= run();
    },
    flush: async () => running,
  };
}
