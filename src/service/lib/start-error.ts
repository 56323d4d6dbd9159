import { ServiceError } from '../../shared/errors.ts';
import type { StartFault } from '../../shared/model/start-fault.ts';

/** The service can't start: PORT_IN_USE, DATA_FOLDER_IN_USE, or UNAVAILABLE for any other fault. */
export function startError(fault: StartFault, cause?: unknown): ServiceError {
  return new ServiceError(codeFor[fault.code] ?? 'UNAVAILABLE', `Tallylight can't start: ${JSON.stringify(fault)}`, {
    details: { startFault: fault },
    cause,
  });
}

const codeFor: { [Code in StartFault['code']]?: 'PORT_IN_USE' | 'DATA_FOLDER_IN_USE' } = {
  'port-refused': 'PORT_IN_USE',
  'folder-in-use': 'DATA_FOLDER_IN_USE',
};
