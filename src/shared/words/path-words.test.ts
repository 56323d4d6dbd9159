import { expect, test } from 'vitest';
import type { PathFault } from '../model/path-fault.ts';
import { describePathFault } from './path-words.ts';

type FaultOf<Code> = Extract<PathFault, { code: Code }>;

const file = { of: 'file', path: '/media/a.mp4' } as const;
const folder = { of: 'folder', path: '/media' } as const;

/** Every fault, with its sentence. */
const words: { [Code in PathFault['code']]: [FaultOf<Code>, string][] } = {
  gone: [
    [{ code: 'gone', ...file }, 'There is no file /media/a.mp4. Check its full path, or browse to it.'],
    [{ code: 'gone', ...folder }, 'The folder /media does not exist.'],
  ],
  unreadable: [
    [
      { code: 'unreadable', ...file },
      'The file /media/a.mp4 cannot be read. Check its drive and the permissions of its folder, or choose another file.',
    ],
    [{ code: 'unreadable', ...folder }, 'The folder /media cannot be read.'],
  ],
  'drive-silent': [
    [{ code: 'drive-silent', ...file }, "The drive of /media/a.mp4 doesn't answer. Reconnect it, or choose another file."],
    [{ code: 'drive-silent', ...folder }, "The folder /media doesn't answer. Its drive or network may be gone."],
  ],
  'not-a-file': [[{ code: 'not-a-file', ...file }, '/media/a.mp4 is not a file. Choose a media file.']],
};

test.each(Object.values(words).flat())('the words of %j', (fault, sentence) => expect(describePathFault(fault)).toBe(sentence));
