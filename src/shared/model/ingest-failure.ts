import { z } from 'zod';
import { OfService, RegionName } from './ingest-pair.ts';

/**
 * How far a connection to an ingest got: `connect` until its TCP connection is open, `tls`, `handshake` of RTMP, `app` while its
 * path is checked, `publish` while its stream key is checked, `started` at first, since some ingests check only then, and `sending`.
 */
export const ConnectionStage = z.enum(['connect', 'tls', 'handshake', 'app', 'publish', 'started', 'sending']);
export type ConnectionStage = z.infer<typeof ConnectionStage>;

/** What a server answered instead of RTMP, as far as its first byte tells. */
export const OtherProtocol = z.enum(['http', 'tls', 'unknown']);
export type OtherProtocol = z.infer<typeof OtherProtocol>;

/** What is wrong with the TLS connection; `failed` is anything else, such as no common version or cipher. */
export const TlsFault = z.enum(['expired', 'not-yet-valid', 'revoked', 'wrong-name', 'untrusted', 'not-tls', 'failed']);
export type TlsFault = z.infer<typeof TlsFault>;

/** What the ingest said about its refusal, in its own words, without our stream key. */
const says = z.string().optional();
/** Host and port, as in a URL. */
const address = z.string();
/** The system's code, like `ENETUNREACH`, or OpenSSL's. */
const reason = z.string();

/** Why no connection to a server was opened. */
export const ConnectFailure = z.discriminatedUnion('code', [
  z.object({ code: z.literal('name-not-found'), host: z.string() }),
  /** No name server answered, or the name may still exist: it was found before, or this computer has no network. */
  z.object({ code: z.literal('lookup-failed'), host: z.string() }),
  z.object({ code: z.literal('connection-refused'), address }),
  z.object({ code: z.literal('unreachable'), address, reason }),
]);
export type ConnectFailure = z.infer<typeof ConnectFailure>;

/** Why a connection to a server isn't secure. */
export const TlsFailure = z.object({ code: z.literal('tls'), fault: TlsFault, host: z.string(), reason });
export type TlsFailure = z.infer<typeof TlsFailure>;

/** Why our media doesn't reach an ingest, or no longer does. */
export const IngestFailure = z.discriminatedUnion('code', [
  z.object({ code: z.literal('wrong-address') }),
  ...ConnectFailure.options,
  z.object({ code: z.literal('timed-out'), during: ConnectionStage, afterMs: z.number() }),
  TlsFailure,
  z.object({ code: z.literal('not-rtmp'), speaks: OtherProtocol }),
  /** It has no such application: the path of its URL is wrong. */
  z.object({ code: z.literal('wrong-app'), says }),
  z.object({ code: z.literal('key-refused'), says }),
  /** It took this key before in the same broadcast: it probably still holds our lost connection. */
  z.object({ code: z.literal('key-held'), says }),
  /** The key is right, but this region is another computer, which doesn't have the stream. */
  z.object({ code: z.literal('stream-unknown'), region: RegionName, ofService: OfService, says }),
  /** Someone else sends with the same key, or the ingest still holds our lost connection. */
  z.object({ code: z.literal('already-publishing'), says }),
  /** Another encoder began to send with the same key while we were sending. */
  z.object({ code: z.literal('taken-over'), says }),
  z.object({ code: z.literal('unsupported-codec'), says }),
  /** Any other refusal; `status` is its RTMP status code. */
  z.object({ code: z.literal('refused'), status: z.string().optional(), says }),
  z.object({ code: z.literal('closed'), during: ConnectionStage }),
  z.object({ code: z.literal('connection-broke'), reason }),
  z.object({ code: z.literal('takes-no-data'), forMs: z.number() }),
  /** It broke the protocol; `fault` says how, in English. */
  z.object({ code: z.literal('protocol'), fault: z.string() }),
  /** Someone else's words: an error's, or those of an earlier version. */
  z.object({ code: z.literal('said'), text: z.string() }),
  /** A bug of ours; the log has it. */
  z.object({ code: z.literal('internal') }),
]);
export type IngestFailure = z.infer<typeof IngestFailure>;
export type IngestFailureOf<Code extends IngestFailure['code']> = Extract<IngestFailure, { code: Code }>;
