import { expect, test } from 'vitest';
import { explainRefusal } from './refusal-status.ts';

const streamKey = 'abcd-efgh-ijkl-mnop';

function explain(
  code: string,
  description = '',
  { reason, hasStarted = false, wasAccepted = false }: { reason?: string; hasStarted?: boolean; wasAccepted?: boolean } = {},
) {
  const info = { level: 'error' as const, code, description, ...(reason !== undefined && { reason }) };
  const { kind, failure } = explainRefusal(info, { hasStarted, wasAccepted, streamKey });
  return [kind, failure];
}

test.each<[string, ReturnType<typeof explain>, unknown[]]>([
  [
    'nginx-rtmp: the key is in use',
    explain('NetStream.Publish.BadName', 'Already publishing'),
    ['lost', { code: 'already-publishing', says: 'Already publishing' }],
  ],
  [
    'SRS: the key is in use',
    explain('NetStream.Publish.BadName', 'stream /live/show is busy'),
    ['lost', { code: 'already-publishing', says: 'stream /live/show is busy' }],
  ],
  [
    'some connect replies say so too',
    explain('NetConnection.Connect.Rejected', 'Already publishing'),
    ['lost', { code: 'already-publishing', says: 'Already publishing' }],
  ],
  [
    'our own: the stream has begun too often, which passes',
    explain('NetStream.Publish.Failed', 'Too often.', { reason: 'restless', hasStarted: true }),
    ['lost', { code: 'refused', status: 'NetStream.Publish.Failed', says: 'Too often.' }],
  ],
  ['a bad name without words', explain('NetStream.Publish.BadName'), ['refused', { code: 'key-refused' }]],
  [
    'MediaMTX: a wrong key',
    explain('NetStream.Publish.Unauthorized', 'authentication failed'),
    ['refused', { code: 'key-refused', says: 'authentication failed' }],
  ],
  [
    'rml_rtmp: a wrong key',
    explain('NetStream.Publish.Denied', 'Invalid stream key'),
    ['refused', { code: 'key-refused', says: 'Invalid stream key' }],
  ],
  ['brpc: a wrong key', explain('NetStream.Play.StreamNotFound'), ['refused', { code: 'key-refused' }]],
  ['a wrong path', explain('NetConnection.Connect.InvalidApp'), ['refused', { code: 'wrong-app' }]],
  [
    'a codec',
    explain('NetStream.Publish.Rejected', 'Codec not supported: hvc1'),
    ['refused', { code: 'unsupported-codec', says: 'Codec not supported: hvc1' }],
  ],
  [
    'an unspecific refusal',
    explain('NetConnection.Connect.Rejected', '[ AccessManager.Reject ] : [ code=403 need auth; authmod=adobe ] :'),
    [
      'refused',
      {
        code: 'refused',
        status: 'NetConnection.Connect.Rejected',
        says: '[ AccessManager.Reject ] : [ code=403 need auth; authmod=adobe ] :',
      },
    ],
  ],
  [
    'a fault that may pass',
    explain('NetStream.Publish.Failed', 'The ingest is closing.'),
    ['lost', { code: 'refused', status: 'NetStream.Publish.Failed', says: 'The ingest is closing.' }],
  ],
  [
    'an application that restarts',
    explain('NetConnection.Connect.AppShutdown'),
    ['lost', { code: 'refused', status: 'NetConnection.Connect.AppShutdown' }],
  ],
  [
    'Tallylight: a wrong key',
    explain('NetStream.Publish.BadName', '', { reason: 'wrong-key' }),
    ['refused', { code: 'key-refused' }],
  ],
  [
    'Tallylight: an old key',
    explain('NetStream.Publish.BadName', '', { reason: 'old-key' }),
    ['refused', { code: 'key-refused' }],
  ],
  [
    'Tallylight: a new key',
    explain('NetStream.Publish.BadName', '', { reason: 'key-renewed', hasStarted: true }),
    ['refused', { code: 'key-refused' }],
  ],
  [
    'Tallylight: another encoder took over',
    explain('NetStream.Publish.BadName', '', { reason: 'in-use', hasStarted: true }),
    ['refused', { code: 'taken-over' }],
  ],
  [
    'Tallylight: a codec',
    explain('NetStream.Publish.Rejected', '', { reason: 'codec' }),
    ['refused', { code: 'unsupported-codec' }],
  ],
  [
    'Tallylight: a wrong path',
    explain('NetConnection.Connect.InvalidApp', '', { reason: 'wrong-app' }),
    ['refused', { code: 'wrong-app' }],
  ],
  [
    'Tallylight: suspended, whose words say “already” by chance',
    explain('NetStream.Publish.BadName', 'It is already suspended.', { reason: 'suspended' }),
    ['refused', { code: 'refused', status: 'NetStream.Publish.BadName', says: 'It is already suspended.' }],
  ],
])('%s', (_, explained, expected) => {
  expect(explained).toEqual(expected);
});

test('a key in use that takes our place is final, and one we find in use may become free', () => {
  const inUse = (hasStarted: boolean) => explain('NetStream.Publish.BadName', 'In use.', { hasStarted });
  expect(inUse(false)).toEqual(['lost', { code: 'already-publishing', says: 'In use.' }]);
  expect(inUse(true)).toEqual(['refused', { code: 'taken-over', says: 'In use.' }]);
});

test('a bad name is not final if the ingest took the key before, unless it ends our publication or gives the reason', () => {
  const badName = (options: Parameters<typeof explain>[2]) =>
    explain('NetStream.Publish.BadName', 'Failed', { wasAccepted: true, ...options });
  expect(badName({})).toEqual(['lost', { code: 'key-held', says: 'Failed' }]);
  expect(badName({ hasStarted: true })).toEqual(['refused', { code: 'key-refused', says: 'Failed' }]);
  expect(badName({ reason: 'key-renewed' })).toEqual(['refused', { code: 'key-refused', says: 'Failed' }]);
  expect(explain('NetStream.Publish.Unauthorized', 'No', { wasAccepted: true })[0]).toBe('refused');
});

test('an ingest that says nothing has refused without a reason', () => {
  const { kind, failure } = explainRefusal({}, { hasStarted: false, wasAccepted: false, streamKey });
  expect([kind, failure]).toEqual(['refused', { code: 'refused' }]);
});

test('the words of an ingest are passed on without our key, on one line and of limited length', () => {
  expect(explain('NetStream.Failed', `No\u0007 such\n stream: ${streamKey}!${'a'.repeat(1_000)}`)[1]).toEqual({
    code: 'refused',
    status: 'NetStream.Failed',
    says: `No such stream: …!${'a'.repeat(282)}…`,
  });
  const says = (count: number) => explain('NetStream.Failed', '🎥'.repeat(count))[1];
  expect([says(300), says(301)]).toEqual([
    { code: 'refused', status: 'NetStream.Failed', says: '🎥'.repeat(300) },
    { code: 'refused', status: 'NetStream.Failed', says: `${'🎥'.repeat(300)}…` },
  ]);
});

test.each(['constructor', 'toString', '__proto__'])(
  'an ingest that refuses with “%s” has given no reason that we know',
  (word) => {
    expect(explain(word)).toEqual(['refused', { code: 'refused', status: word }]);
    const status = 'NetStream.Publish.BadName';
    expect(explain(status, '', { reason: word })).toEqual(['refused', { code: 'refused', status }]);
  },
);
