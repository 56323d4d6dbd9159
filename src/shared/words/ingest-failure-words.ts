import { assertNever } from '../assert-never.ts';
import type { ConnectionStage, IngestFailure, OtherProtocol } from '../model/ingest-failure.ts';

/** Why an ingest isn't reached or was lost, in a sentence or two, with the remedy if we know one. */
export function describeIngestFailure(failure: IngestFailure): string {
  switch (failure.code) {
    case 'wrong-address':
      return 'The address must start with rtmp:// or rtmps://, like rtmps://live.example.com/app.';
    case 'name-not-found':
      return `There is no server named ${failure.host}. Check the address for typing errors.`;
    case 'lookup-failed':
      return `Can't look up ${failure.host}: no name server responds. Check this computer's internet connection.`;
    case 'connection-refused':
      return `${failure.address} refused the connection. Check the address and the port, and that the ingest is running.`;
    case 'unreachable':
      return `Can't reach ${failure.address} (${failure.reason}). Check this computer's internet connection.`;
    case 'timed-out':
      return `The ingest didn't respond ${timedOut[failure.during]} within ${failure.afterMs / 1000} s.`;
    case 'tls':
      return describeTlsFault(failure);
    case 'not-rtmp':
      return notRtmp[failure.speaks];
    case 'wrong-app':
      return `The ingest doesn't know the path of this address.${quote(failure.says)}`;
    case 'key-refused':
      return `The ingest refused the stream key. Copy it again from the service you stream to.${quote(failure.says)}`;
    case 'already-publishing':
      return `Another encoder is sending with this stream key, or the ingest hasn't noticed yet that it left.${quote(failure.says)}`;
    case 'taken-over':
      return `Another encoder took over this stream key.${quote(failure.says)}`;
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
      return `The ingest has accepted no data for ${failure.forMs / 1000} s.`;
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

function describeTlsFault({ fault, host, reason }: Extract<IngestFailure, { code: 'tls' }>): string {
  switch (fault) {
    case 'expired':
      return `The certificate of ${host} has expired. Check this computer's clock; if it's right, only the ingest's operator can help.`;
    case 'not-yet-valid':
      return `The certificate of ${host} isn't valid yet. Check this computer's clock.`;
    case 'revoked':
      return `The certificate of ${host} was revoked, so the connection isn't safe. Only the ingest's operator can help.`;
    case 'wrong-name':
      return `The server's certificate isn't for ${host}. Check the address, and whether this network asks you to sign in first.`;
    case 'untrusted':
      return `The certificate of ${host} is from an authority that this computer doesn't trust.`;
    case 'not-tls':
      return "This port doesn't use TLS. Use rtmp:// in the address, or the port for RTMPS.";
    case 'failed':
      return `No secure connection to ${host} (${reason}).`;
    default:
      return assertNever(fault);
  }
}

const notRtmp: Readonly<Record<OtherProtocol, string>> = {
  http: "That's a web server, not an RTMP ingest. Check the port.",
  tls: 'This port expects RTMPS. Use rtmps:// in the address.',
  unknown: "That server doesn't speak RTMP. Check the address and the port.",
};

function quote(says: string | undefined): string {
  return says === undefined ? '' : ` The ingest says: “${says}”`;
}
