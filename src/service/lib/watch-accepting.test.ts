import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { createTestLog } from '../../../test/support/store-stand.ts';
import { watchAccepting } from './watch-accepting.ts';

test.each<{ platform: NodeJS.Platform; problem: string | undefined }>([
  { platform: 'linux', problem: undefined },
  {
    platform: 'win32',
    problem: 'The HTTP server accepts no connections any more (accept ENOBUFS). Restart Tallylight.',
  },
])(
  'a connection that could not be accepted is logged, and a problem where it is the last: $platform',
  ({ platform, problem }) => {
    const server = createServer();
    const { log, lines } = createTestLog();
    const findProblem = watchAccepting(server, { name: 'The HTTP server', log, platform });
    expect(findProblem()).toBeUndefined();
    server.emit('error', new Error('accept ENOBUFS'));
    server.emit('error', new Error('accept ENOBUFS'));
    expect(lines.map(({ msg }) => msg)).toEqual(['The HTTP server could not accept a connection.']);
    expect(findProblem()).toBe(problem);
  },
);
