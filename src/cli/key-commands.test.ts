import { expect, test } from 'vitest';
import { formatKeyTable } from './key-commands.ts';

test('the name of a key stays within its row and cannot control the terminal', () => {
  const key = { id: 'i1', createdAt: Date.UTC(2026, 10, 21), lastUsedAt: undefined };
  expect(
    formatKeyTable([{ ...key, name: 'robot\u001b[2J\n2' }]),
  ).toBe(String.raw`ID  NAME                   CREATED               LAST USED
i1  robot\u001b[2J\u000a2  2026-11-21T00:00:00Z  never
`);
});
