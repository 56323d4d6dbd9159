import { ServiceError } from '../../shared/errors.ts';
import { findProfileConflicts, type Profile } from '../../shared/model/profile.ts';

/**
 * Refuses profiles that do not go together.
 *
 * @throws {ServiceError} INVALID_INPUT when a limit of the interface is broken (differing fps), else CONFLICTING_INPUT.
 */
export function checkProfiles(profiles: readonly Profile[] | undefined): void {
  const conflicts = findProfileConflicts(profiles ?? []);
  if (conflicts.length === 0) return;
  const sentences = conflicts.map(({ sentence }) => sentence);
  const code = conflicts.some(({ kind }) => kind === 'limit') ? 'INVALID_INPUT' : 'CONFLICTING_INPUT';
  throw new ServiceError(code, sentences.join('\n'), { details: { sentences } });
}
