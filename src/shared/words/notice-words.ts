import { assertNever } from '../assert-never.ts';
import { isolateName } from '../isolate-name.ts';
import type { ServiceNotice } from '../model/service-notice.ts';
import { describeRefusedPort } from './port-words.ts';
import { describeStoreProblem } from './store-fault-words.ts';
import { describeTlsFileFault, formatUtcDay } from './tls-file-words.ts';

/** A notice in a sentence or two. */
export function describeNotice(notice: ServiceNotice): string {
  switch (notice.code) {
    case 'store-fault':
      return describeStoreProblem(notice.problem);
    case 'store-replaced':
      return `The store was damaged. It was set aside as ${notice.setAside}, and a new one was created with what could be read of it. This message stays until you move or delete that file.`;
    case 'keys-replaced':
      return notice.streams === 1
        ? 'One stream has a new stream key, because the key that encrypted the old one is missing. Copy it to your encoder again.'
        : `${notice.streams} streams have new stream keys, because the key that encrypted the old ones is missing. Copy them to your encoders again.`;
    case 'key-replaced':
      return `The stream key of “${isolateName(notice.streamName)}” could not be decrypted, so the stream has a new one. Copy it to your encoder again.`;
    case 'port-in-use':
      return `${describeRefusedPort(notice.purpose, notice.preferred, notice.reason)}, so Tallylight uses ${notice.port}.`;
    case 'tls-unusable':
      return `${describeTlsFileFault(notice.fault)} Until the next start with usable files, there is no HTTPS and no RTMPS.`;
    case 'tls-not-renewed':
      return `${describeTlsFileFault(notice.fault)} Until that is fixed, the earlier certificate stays in use.`;
    case 'tls-expired':
      return `The TLS certificate ${notice.path} expired on ${formatUtcDay(notice.expiredAt)}: players and encoders refuse it. Renew it; no restart is needed.`;
    default:
      return assertNever(notice);
  }
}
