import type { Source } from '../../src/shared/model/source.ts';

/** A file with its own sound, played again and again. */
export function loopedFile(path: string): Source {
  return {
    picture: { main: { kind: 'files', paths: [path], loops: true } },
    sound: { inputs: [{ of: { kind: 'of-picture' }, levelDb: 0, isMuted: false }], limits: false },
  };
}
