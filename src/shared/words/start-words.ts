import { assertNever } from '../assert-never.ts';
import type { StartFault } from '../model/start-fault.ts';
import { describeRefusedPort } from './port-words.ts';
import type { StartingHost } from './starting-host.ts';

/** Why the service can't start, and what to do, in a sentence or two. */
export function describeStartFault(fault: StartFault, host: StartingHost): string {
  switch (fault.code) {
    case 'port-refused': {
      const { purpose, port, reason } = fault;
      const advice = ` Choose another with ${portOptions[purpose]}, or 0 for any free port.`;
      return `${describeRefusedPort(purpose, port, reason)}.${host === 'app' ? '' : advice}`;
    }
    case 'no-address': {
      const advice = ' Choose one of its addresses with --host, such as 127.0.0.1.';
      return `This computer has no address ${fault.address}.${host === 'app' ? '' : advice}`;
    }
    case 'folder-unusable':
      return `Cannot use the data folder ${fault.path}: ${fault.text}.`;
    case 'folder-unwritable':
      return `Cannot write to the data folder ${fault.path}: ${fault.text}.`;
    case 'folder-unlockable':
      return `Cannot lock the data folder ${fault.path} by its file ${fault.file}: ${fault.text}.`;
    case 'folder-in-use':
      return `Another Tallylight is using the data folder ${fault.path}. Close it, or choose another folder.`;
    default:
      return assertNever(fault);
  }
}

const portOptions = { HTTP: '--http-port', RTMP: '--rtmp-port' } as const;
