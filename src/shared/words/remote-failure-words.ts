import { assertNever } from '../assert-never.ts';
import type { PairFault, RemoteFailure, RemoteFailureOf } from '../model/remote-failure.ts';
import { withUnit } from '../with-unit.ts';
import { atOnce, describeConnectFailure, describeTlsFailure, ifItLasts } from './connect-failure-words.ts';
import { formatWait } from './quantities.ts';

/**
 * Why a remote service didn't do what it was asked for, in a sentence or two, with the remedy if we know one.
 *
 * @param wasFine its address has worked before, so question it only if the failure persists
 */
export function describeRemoteFailure(failure: RemoteFailure, { wasFine = false } = {}): string {
  const advise = wasFine ? ifItLasts : atOnce;
  switch (failure.code) {
    case 'name-not-found':
    case 'lookup-failed':
    case 'connection-refused':
    case 'unreachable':
      return describeConnectFailure(failure, 'service', advise);
    case 'tls':
      return describeTlsFailure(failure, 'service', advise);
    case 'timed-out':
      return `The service didn't answer within ${withUnit(failure.afterMs / 1000, 's')}.`;
    case 'closed':
      return 'The service closed the connection without an answer.';
    case 'not-http':
      return `That server doesn't speak HTTP. ${advise('check the port.')}`;
    case 'blocked-port':
      return `Port ${failure.port} is blocked for HTTP, as in every browser. The service needs another port.`;
    case 'redirected':
      return failure.to === undefined
        ? `The service redirects to another address. ${advise('use the address of its API.')}`
        : `The service redirects to ${failure.to}. The API key isn't sent there; if that's the right address, use it instead.`;
    case 'key-refused':
      return 'The service refused the API key. Check that it is complete and not revoked.';
    case 'key-lost':
      return "The API key of this service can't be decrypted any more. Enter it again.";
    case 'too-many-requests':
      return `The service says that it gets too many requests. ${describeRetry(failure)}`;
    case 'server-error':
      return `The service has an internal error (${failure.status}). ${describeRetry(failure)}`;
    case 'no-such-stream':
      return 'The service has no such stream. It may have been deleted there.';
    case 'not-offered':
      return `The service doesn't know this request (${failure.status}). ${advise('check the end of the address: many end in /api.')}`;
    case 'refused':
      return failure.says === undefined
        ? `The service refused the request (${failure.status}).`
        : `The service refused the request. It says: “${failure.says}”`;
    case 'not-json':
      return `The service's answer isn't JSON. ${advise('check the address: it must be that of its API.')}`;
    case 'too-large':
      return `The service's answer is larger than ${failure.maxBytes / 1024 / 1024} MiB.`;
    case 'nonsense':
      return `The service's answer doesn't match the interface${failure.path === '' ? '' : ` (${failure.path})`}.`;
    case 'no-ingest':
      return failure.fault === undefined ? 'The service lists no region to send to.' : pairFaults[failure.fault];
    default:
      return assertNever(failure);
  }
}

const pairFaults: Readonly<Record<PairFault, string>> = {
  address: 'The regions that the service lists have no RTMP ingest and HTTPS playback.',
  loopback:
    "The regions that the service lists have addresses like 127.0.0.1, which lead to this computer instead of the service. In that service's settings, set its domain, or the URLs of its region.",
  unencrypted:
    'The regions that the service lists play over HTTP, without encryption. Give that service a TLS certificate, so that they play over HTTPS.',
};

function describeRetry({
  retryAfterSeconds,
  askedAgainInSeconds,
}: RemoteFailureOf<'too-many-requests' | 'server-error'>): string {
  if (askedAgainInSeconds !== undefined) return `Tallylight asks again in ${formatWait(askedAgainInSeconds)}.`;
  return retryAfterSeconds === undefined ? 'Try again later.' : `Try again in ${formatWait(retryAfterSeconds)}.`;
}
