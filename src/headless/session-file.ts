import { readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Logger } from '../service/ports.ts';

const Hash = z.string().regex(/^[\da-f]{64}$/);

/** A browser's session as it is kept: hashes alone, so that who reads the file can open nothing. */
export const KeptSession = z.object({ cookieHash: Hash, pageHash: Hash, lastUsedAt: z.int() });
export type KeptSession = z.infer<typeof KeptSession>;

/** Where the sessions of browsers outlive the process. */
export interface SessionFile {
  read(): KeptSession[];
  /** Never waits for the disk: of several that wait for it the newest is written. */
  write(sessions: readonly KeptSession[]): void;
  /** Resolves once nothing waits any more. */
  flush(): Promise<void>;
}

/** A {@link SessionFile} at `path`, for the user alone. What cannot be read or written is logged: browsers then need a new URL. */
export function openSessionFile(path: string, log: Pick<Logger, 'warn'>): SessionFile {
  let waiting: string | undefined;
  let running: Promise<void> | undefined;
  const replace = async (text: string) => {
    try {
      await rm(`${path}.new`, { force: true });
      await writeFile(`${path}.new`, text, { mode: 0o600, flag: 'wx' });
      await rename(`${path}.new`, path);
    } catch (error) {
      log.warn({ err: error }, 'The sessions of browsers cannot be kept over a restart');
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
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
          log.warn({ err: error }, 'The sessions of browsers cannot be read; each needs a new URL');
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
