import { ServiceError } from '../../shared/errors.ts';

/** A call for a broadcast that isn't there. */
export function notLive(): ServiceError {
  return new ServiceError('OFF_AIR', 'This stream is not live from this computer.');
}

/** A change of source that a later one has overtaken. */
export function overtaken(): ServiceError {
  return new ServiceError('CHANGE_OVERTAKEN', 'The source was changed again before this one was on air.');
}
