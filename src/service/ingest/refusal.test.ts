import { expect, test } from 'vitest';
import type { EndReason } from '../../shared/model/live.ts';
import type { LossCause } from '../../shared/model/refusal.ts';
import { describeLossCause } from '../../shared/words/loss-words.ts';
import { formatRefusal } from './refusal.ts';

const badName = 'NetStream.Publish.BadName';
const failed = 'NetStream.Publish.Failed';
const ended = (reason: EndReason): LossCause => ({ code: 'broadcast-ended', reason });

test.each<[string, LossCause]>([
  [badName, { code: 'wrong-key' }],
  [badName, { code: 'old-key' }],
  [badName, { code: 'key-renewed' }],
  [badName, { code: 'suspended' }],
  [badName, { code: 'stopped' }],
  [badName, { code: 'in-use', by: { address: '192.0.2.7' } }],
  [badName, { code: 'too-many-bytes', maxBytes: 2 ** 25 }],
  [badName, ended('stopped')],
  [badName, ended('terminated')],
  [badName, ended('deleted')],
  [badName, ended('suspended')],
  [failed, ended('service-closed')],
  [failed, ended('service-crashed')],
  [failed, { code: 'ingest-closing' }],
  [failed, { code: 'no-media', forMs: 10_000 }],
  [failed, { code: 'restless' }],
  [failed, { code: 'store-unreadable', fault: { code: 'cannot-open' } }],
  ['NetStream.Publish.Rejected', { code: 'codec', track: 'video', name: 'VP9' }],
  ['NetConnection.Connect.InvalidApp', { code: 'wrong-app' }],
  ['NetStream.Play.Failed', { code: 'asked-to-play' }],
])('an encoder hears %s for %j, with why', (code, cause) => {
  expect(formatRefusal(cause)).toEqual({ level: 'error', code, description: describeLossCause(cause), reason: cause.code });
});
