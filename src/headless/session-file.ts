import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Logger } from '../service/ports.ts';

const Hash = z.string().regex(/^[\da-f]{64}$/);

/** A browser's session as it is kept: hashes alone, so that who reads the file can open nothing. */
export const KeptSession = z.object({ cookieHash: Hash, pageHash: Hash, lastUsedAt: z.int() });
export type KeptSession = z.infer<typeof KeptSession>;

/** Where the sessions of browsers outlive the process. */
export interface SessionFile {
  read(): KeptSession[];
  write(sessions: readonly KeptSession[]): void;
}

/** A {@link SessionFile} at `path`, for the user alone. What cannot be read or written is logged: browsers then need a new URL. */
export function openSessionFile(path: string, log: Pick<Logger, 'warn'>): SessionFile {
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
      try {
        rmSync(`${path}.new`, { force: true });
        writeFileSync(`${path}.new`, JSON.stringify(sessions), { mode: 0o600, flag: 'wx' });
        renameSync(`${path}.new`, path);
      } catch (error) {
        log.warn({ err: error }, 'The sessions of browsers cannot be kept over a restart');
      }
    },
  };
}
