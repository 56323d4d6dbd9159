import { assertNever } from '../assert-never.ts';
import type { ConnectionStage, IngestFailure, OtherProtocol } from '../model/ingest-failure.ts';
import { withUnit } from '../with-unit.ts';
import { describeConnectFailure, describeTlsFailure } from './connect-failure-words.ts';
import { formatRegion } from './region-name.ts';

/** Why an ingest isn't reached or was lost, in a sentence or two, with the remedy if we know one. */
export function describeIngestFailure(failure: IngestFailure): string {
  switch (failure.code) {
    case 'wrong-address':
      return 'The address must start with rtmp:// or rtmps://, like rtmps://live.example.com/app.';
    case 'name-not-found':
    case 'lookup-failed':
    case 'connection-refused':
    case 'unreachable':
      return describeConnectFailure(failure, 'ingest');
    case 'timed-out':
      return `The ingest didn't respond ${timedOut[failure.during]} within ${withUnit(failure.afterMs / 1000, 's')}.`;
    case 'tls':
      return failure.fault === 'not-tls'
        ? "This port doesn't use TLS. Use rtmp:// in the address, or the port for RTMPS."
        : describeTlsFailure(failure, 'ingest');
    case 'not-rtmp':
      return notRtmp[failure.speaks];
    case 'wrong-app':
      return `The ingest doesn't know the path of this address.${quote(failure.says)}`;
    case 'key-refused':
      return `The ingest refused the stream key. Go live again: Tallylight then reads the current one. If it is refused again, check the stream at the service.${quote(failure.says)}`;
    case 'key-held':
      return `The ingest refuses the stream key it accepted before. It probably hasn't noticed yet that the connection was lost, and will accept the key again once it has. If the stream has a new key, stop and go live again.${quote(failure.says)}`;
    case 'stream-unknown':
      return `The region ${formatRegion(failure.region)} doesn't have this stream, so it refused the stream key. ${
        failure.ofService
          ? "The regions of this service don't share streams."
          : "Regions don't share streams. Choose another region in Regions, or give that computer a copy of this one's data folder."
      }`;
    case 'already-publishing':
      return `Another encoder is sending with this stream key, or the ingest hasn't noticed yet that it left.${quote(failure.says)}`;
    case 'taken-over':
      return 'Another encoder took over this stream key.';
    case 'unsupported-codec':
      return `The ingest doesn't support this video or audio codec.${quote(failure.says)}`;
    case 'refused':
      if (failure.says !== undefined) return `The ingest refused the stream.${quote(failure.says)}`;
      return `The ingest refused the stream (${failure.status ?? 'no reason given'}).`;
    case 'closed':
      return closed[failure.during];
    case 'connection-broke':
      return `Lost the connection to the ingest (${failure.reason}).`;
    case 'takes-no-data':
      return `The ingest has accepted no data for ${withUnit(failure.forMs / 1000, 's')}.`;
    case 'protocol':
      return `The ingest broke the RTMP protocol: ${failure.fault}`;
    case 'said':
      return failure.text;
    case 'internal':
      return 'Publishing failed.';
    default:
      return assertNever(failure);
  }
}

const timedOut: Readonly<Record<ConnectionStage, string>> = {
  connect: 'to the connection',
  tls: 'to the TLS handshake',
  handshake: 'to the RTMP handshake',
  app: 'to the connect command',
  publish: 'to the stream key',
  started: 'to the first media',
  sending: 'to the media',
};

const closed: Readonly<Record<ConnectionStage, string>> = {
  connect: 'The ingest closed the connection at once.',
  tls: 'The ingest closed the connection during the TLS handshake. It may not support RTMPS on this port.',
  handshake: 'The ingest closed the connection during the RTMP handshake. Check the address and the port.',
  app: 'The ingest closed the connection when it got the path. Check the end of the address.',
  publish: 'The ingest closed the connection when it got the stream key. Usually, that means the key is wrong.',
  started: 'The ingest accepted the stream and closed the connection at once. The key may be wrong, or not allowed to stream.',
  sending: 'The ingest closed the connection.',
};

const notRtmp: Readonly<Record<OtherProtocol, string>> = {
  http: "That's a web server, not an RTMP ingest. Check the port.",
  tls: 'This port expects RTMPS. Use rtmps:// in the address.',
  unknown: "That server doesn't speak RTMP. Check the address and the port.",
};

function quote(says: string | undefined): string {
  return says === undefined ? '' : ` The ingest says: “${says}”`;
}
