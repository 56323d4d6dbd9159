import { z } from 'zod';
import { ConnectFailure, TlsFailure } from './ingest-failure.ts';

/** What the service said about it, in its own words, without our API key. */
const says = z.string().optional();
/** The HTTP status of its answer. */
const status = z.int();

/**
 * How long the service asks to wait (`Retry-After`); absent if it didn't say. `askedAgainInSeconds` is set where Tallylight polls, and so
 * asks again by itself.
 */
const pause = { retryAfterSeconds: z.number().optional(), askedAgainInSeconds: z.number().optional() };

/**
 * Why a region can't be used from here: its URLs are invalid or of another protocol; they have loopback addresses although the service is
 * on another computer; or its playback is on another computer and not encrypted.
 */
export const PairFault = z.enum(['address', 'loopback', 'unencrypted']);
export type PairFault = z.infer<typeof PairFault>;

/** Why a remote service didn't do what it was asked for. */
export const RemoteFailure = z.discriminatedUnion('code', [
  ...ConnectFailure.options,
  TlsFailure,
  z.object({ code: z.literal('timed-out'), afterMs: z.number() }),
  /** It closed the connection without an answer. */
  z.object({ code: z.literal('closed') }),
  /** Its answer isn't HTTP. */
  z.object({ code: z.literal('not-http') }),
  /** HTTP never goes to its port (Fetch standard, "bad port"). */
  z.object({ code: z.literal('blocked-port'), port: z.int() }),
  /** It redirects to another address, which doesn't get the API key. `to` is that origin, if it isn't the service's own. */
  z.object({ code: z.literal('redirected'), to: z.string().optional() }),
  z.object({ code: z.literal('key-refused'), status }),
  /** The API key can no longer be decrypted here. */
  z.object({ code: z.literal('key-lost') }),
  z.object({ code: z.literal('too-many-requests'), ...pause }),
  z.object({ code: z.literal('server-error'), status, ...pause }),
  /** There is no such stream. */
  z.object({ code: z.literal('no-such-stream') }),
  /** The path isn't one of the interface, or the service lacks this call. */
  z.object({ code: z.literal('not-offered'), status }),
  z.object({ code: z.literal('refused'), status, says }),
  z.object({ code: z.literal('not-json') }),
  z.object({ code: z.literal('too-large'), maxBytes: z.int() }),
  /** Its JSON doesn't match the interface; `path` is the first mismatch. */
  z.object({ code: z.literal('nonsense'), path: z.string() }),
  /** It lists no region that this computer could send to. `fault`: why not to the first it lists; absent: it lists none. */
  z.object({ code: z.literal('no-ingest'), fault: PairFault.optional() }),
]);
export type RemoteFailure = z.infer<typeof RemoteFailure>;
export type RemoteFailureOf<Code extends RemoteFailure['code']> = Extract<RemoteFailure, { code: Code }>;
