import { cutText } from '../../shared/cut-text.ts';
import type { IngestFailure } from '../../shared/model/ingest-failure.ts';
import { PublishError } from '../publishing/publish-error.ts';
import type { StatusInfo } from './commands.ts';

/** Longest text of an ingest that is passed on. */
const maxSaysLength = 300;

/**
 * The reasons (`LossCause`) that our own ingest adds to a status as a code, since its RTMP status codes don't tell them apart.
 */
const ownReasons: ReadonlyMap<string, RefusalCode> = new Map([
  ['wrong-key', 'key-refused'],
  ['old-key', 'key-refused'],
  ['key-renewed', 'key-refused'],
  ['in-use', 'already-publishing'],
  ['codec', 'unsupported-codec'],
  ['wrong-app', 'wrong-app'],
]);

/**
 * The meaning of other ingests' status codes.
 *
 * `BadName` is documented as "already being published" and sent so by nginx-rtmp, SRS and others; ingests also send it for any key
 * they refuse, so their description decides. `Denied` is from servers built on rml_rtmp and what GStreamer expects; MediaMTX sends
 * `Unauthorized` (older versions only close). Ingests built on brpc send `Play.StreamNotFound` for an unknown key.
 */
const statusCodes: ReadonlyMap<string, RefusalCode> = new Map([
  ['NetStream.Publish.BadName', 'key-refused'],
  ['NetStream.Publish.BadAuth', 'key-refused'],
  ['NetStream.Publish.Denied', 'key-refused'],
  ['NetStream.Publish.Unauthorized', 'key-refused'],
  ['NetStream.Play.StreamNotFound', 'key-refused'],
  ['NetConnection.Connect.InvalidApp', 'wrong-app'],
]);

/** Status codes of failures that may pass by themselves: a retry makes sense. */
const passing = ['NetStream.Publish.Failed', 'NetConnection.Connect.AppShutdown', 'NetConnection.Connect.Closed'];

const alreadyPublishing = /\balready\b|\bbusy\b|\bin use\b/i;
const codec = /codec/i;

/** The status code that may mean that the key is in use. */
const unclearCode = 'NetStream.Publish.BadName';

type RefusalCode = 'key-refused' | 'key-held' | 'already-publishing' | 'unsupported-codec' | 'wrong-app' | 'refused';

/**
 * The meaning of an ingest's `_error` or `onStatus` of level `error` (RTMP 1.0 §7.2.1.1, §7.2.2).
 *
 * Most refusals are final. A key that is in use when we connect is not: many ingests, ours among them, hold a lost connection for a
 * while. Some say only `BadName` then, so if they took the key before, this isn't final either. Once we send, the same status
 * means that another encoder took our place, and a retry would fight it.
 */
export function explainRefusal(
  info: Partial<StatusInfo>,
  { hasStarted, wasAccepted, streamKey }: { hasStarted: boolean; wasAccepted: boolean; streamKey: string },
): PublishError {
  const found = findCode(info);
  const isHeld = wasAccepted && !hasStarted && info.code === unclearCode && info.reason === undefined;
  const code =
    found === 'already-publishing' && hasStarted ? 'taken-over' : found === 'key-refused' && isHeld ? 'key-held' : found;
  const says = cleanText(info.description ?? '', streamKey);
  const failure: IngestFailure = {
    code,
    ...(code === 'refused' && info.code !== undefined && { status: cleanText(info.code, streamKey) ?? '' }),
    ...(says !== undefined && { says }),
  };
  const mayPass =
    code === 'already-publishing' || code === 'key-held' || (info.code !== undefined && passing.includes(info.code));
  return new PublishError(mayPass ? 'lost' : 'refused', failure);
}

function findCode({ code = '', description = '', reason }: Partial<StatusInfo>): RefusalCode {
  if (reason !== undefined) return ownReasons.get(reason) ?? 'refused';
  if (alreadyPublishing.test(description)) return 'already-publishing';
  if (codec.test(`${code} ${description}`)) return 'unsupported-codec';
  return statusCodes.get(code) ?? 'refused';
}

/** The ingest's text on one line, of limited length, and without the key, which some ingests repeat. */
function cleanText(text: string, streamKey: string): string | undefined {
  const withoutKey = streamKey === '' ? text : text.replaceAll(streamKey, '…');
  const line = withoutKey.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line === '') return undefined;
  const cut = cutText(line, maxSaysLength);
  return cut.length < line.length ? `${cut}…` : line;
}
