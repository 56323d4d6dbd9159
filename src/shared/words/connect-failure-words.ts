import { assertNever } from '../assert-never.ts';
import { capitalise } from '../capitalise.ts';
import type { ConnectFailure, TlsFailure } from '../model/ingest-failure.ts';

/** The kind of server at the other end. */
type Server = 'ingest' | 'service';

/** Turns advice, which begins with a small letter, into a sentence. */
type Advise = (advice: string) => string;

/** For an address that may be wrong. */
export const atOnce: Advise = capitalise;

/** For an address that has worked before. */
export const ifItLasts: Advise = (advice) => `If this continues, ${advice}`;

/** Why a server isn't reached, in a sentence or two, with the remedy. */
export function describeConnectFailure(failure: ConnectFailure, server: Server, advise = atOnce): string {
  switch (failure.code) {
    case 'name-not-found':
      return `There is no server named ${failure.host}. ${advise('check the address for typing errors.')}`;
    case 'lookup-failed':
      return `Can't look up ${failure.host}. Check this computer's internet connection.`;
    case 'connection-refused':
      return `${failure.address} refused the connection. ${advise(`check the address and the port, and that the ${server} is running.`)}`;
    case 'unreachable':
      return `Can't reach ${failure.address} (${failure.reason}). Check this computer's internet connection.`;
    default:
      return assertNever(failure);
  }
}

/** Why a connection isn't secure, in a sentence or two, with the remedy if we know one. */
export function describeTlsFailure({ fault, host, reason }: TlsFailure, server: Server, advise = atOnce): string {
  switch (fault) {
    case 'expired':
      return `The certificate of ${host} has expired. Check this computer's clock; if it's right, only the ${server}'s operator can help.`;
    case 'not-yet-valid':
      return `The certificate of ${host} isn't valid yet. Check this computer's clock.`;
    case 'revoked':
      return `The certificate of ${host} was revoked, so the connection isn't safe. Only the ${server}'s operator can help.`;
    case 'wrong-name':
      return `The server's certificate isn't for ${host}. ${advise('check the address, and whether this network asks you to sign in first.')}`;
    case 'untrusted':
      return `The certificate of ${host} is from an authority that this computer doesn't trust. If it is your own, start Tallylight with its file in NODE_EXTRA_CA_CERTS.`;
    case 'not-tls':
      return `This port doesn't use TLS. ${advise('check the port.')}`;
    case 'failed':
      return `No secure connection to ${host} (${reason}).`;
    default:
      return assertNever(fault);
  }
}
