import type { ErrorDetails, ServiceError } from '../errors.ts';
import { describeFailure } from './failure-words.ts';
import { describeMissingFfmpeg } from './ffmpeg-words.ts';
import { describePathFault } from './path-words.ts';
import { describeRemoteFailure } from './remote-failure-words.ts';
import { describeSecretsFault } from './secrets-words.ts';
import { describeStartFault } from './start-words.ts';
import type { StartingHost } from './starting-host.ts';
import { describeStoreProblem, describeUnopenedStore } from './store-fault-words.ts';
import { describeTlsFileFault } from './tls-file-words.ts';
import { describeViolation } from './violation-words.ts';

/**
 * An error in words: those for the codes in its details, else its own sentence. Each broken rule is a line.
 *
 * @param host the program that can't start, whose options the words may name; the desktop app has none
 */
export function describeError({ details, message }: Pick<ServiceError, 'details' | 'message'>, host?: StartingHost): string {
  return describeDetails(details, host) ?? message;
}

/** The words for the codes in an error's details; undefined if it has none. */
export function describeDetails(details: ErrorDetails | undefined, host: StartingHost = 'app'): string | undefined {
  if (details?.encodeFailure !== undefined) return describeFailure(details.encodeFailure);
  if (details?.pathFault !== undefined) return describePathFault(details.pathFault);
  if (details?.tlsFault !== undefined) return describeTlsFileFault(details.tlsFault);
  if (details?.remoteFailure !== undefined) return describeRemoteFailure(details.remoteFailure);
  if (details?.missingFfmpeg !== undefined) return describeMissingFfmpeg(details.missingFfmpeg);
  if (details?.secretsFault !== undefined) return describeSecretsFault(details.secretsFault, host);
  if (details?.startFault !== undefined) return describeStartFault(details.startFault, host);
  if (details?.storeProblem !== undefined) return describeStoreProblem(details.storeProblem);
  if (details?.unopenedStore !== undefined) return describeUnopenedStore(details.unopenedStore);
  return details?.violations?.map(describeViolation).join('\n');
}
