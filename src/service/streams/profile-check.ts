import { findProfileConflicts, type Profile } from '../../shared/model/profile.ts';
import { violationError } from '../lib/violations.ts';

/**
 * Rejects profiles that cannot be combined.
 *
 * @throws {ServiceError} INVALID_INPUT when they break a limit of the interface (differing fps), else CONFLICTING_INPUT
 */
export function checkProfiles(profiles: readonly Profile[] | undefined): void {
  const conflicts = findProfileConflicts(profiles ?? []);
  if (conflicts.length === 0) return;
  throw violationError(conflicts.some(({ code }) => code === 'fps-differs') ? 'INVALID_INPUT' : 'CONFLICTING_INPUT', conflicts);
}
