import type { KeptSession, SessionFile } from '../../src/headless/session-file.ts';

/** The sessions of browsers, stored in memory. */
export function keepSessions(): SessionFile & { kept: readonly KeptSession[] } {
  return {
    kept: [],
    read() {
      return [...this.kept];
    },
    write(sessions) {
      this.kept = sessions;
    },
    flush: async () => {},
  };
}
