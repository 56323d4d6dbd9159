import { expect, test } from 'vitest';
import type { StartFault } from '../model/start-fault.ts';
import { describeStartFault } from './start-words.ts';

type FaultOf<Code> = Extract<StartFault, { code: Code }>;

const path = '/var/lib/tallylight';

/** Every fault, with the words of all hosts, and what only the headless host adds: the desktop app has no options. */
const words: { [Code in StartFault['code']]: [FaultOf<Code>, string, string?][] } = {
  'port-refused': [
    [
      { code: 'port-refused', purpose: 'RTMP', port: 1935, reason: 'in-use' },
      'The RTMP port 1935 is in use by another program.',
      ' Choose another with --rtmp-port, or 0 for any free port.',
    ],
    [
      { code: 'port-refused', purpose: 'HTTP', port: 1935, reason: 'rtmp-port' },
      'The HTTP port 1935 is already the RTMP port.',
      ' Choose another with --http-port, or 0 for any free port.',
    ],
    [
      { code: 'port-refused', purpose: 'RTMP', port: 443, reason: 'no-permission' },
      'The RTMP port 443 needs permissions that Tallylight does not have.',
      ' Choose another with --rtmp-port, or 0 for any free port.',
    ],
  ],
  'no-address': [
    [
      { code: 'no-address', address: '192.0.2.1' },
      'This computer has no address 192.0.2.1.',
      ' Choose one of its addresses with --host, such as 127.0.0.1.',
    ],
  ],
  'folder-unusable': [
    [
      { code: 'folder-unusable', path, text: 'EEXIST: file already exists, mkdir' },
      'Cannot use the data folder /var/lib/tallylight: EEXIST: file already exists, mkdir.',
    ],
  ],
  'folder-unwritable': [
    [
      { code: 'folder-unwritable', path, text: 'EACCES: permission denied, open' },
      'Cannot write to the data folder /var/lib/tallylight: EACCES: permission denied, open.',
    ],
  ],
  'folder-unlockable': [
    [
      { code: 'folder-unlockable', path, file: 'service.lock', text: 'file is not a database' },
      'Cannot lock the data folder /var/lib/tallylight by its file service.lock: file is not a database.',
    ],
  ],
  'folder-in-use': [
    [
      { code: 'folder-in-use', path },
      'Another Tallylight is using the data folder /var/lib/tallylight. Close it, or choose another folder.',
    ],
  ],
};

test.each(Object.values(words).flat())('the words of %j', (fault, sentence, addition = '') => {
  expect(describeStartFault(fault, 'app')).toBe(sentence);
  expect(describeStartFault(fault, 'headless')).toBe(`${sentence}${addition}`);
});
