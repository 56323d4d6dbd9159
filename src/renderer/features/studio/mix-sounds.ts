import { isolateName } from '../../../shared/isolate-name.ts';
import type { ListedDevice } from '../../../shared/model/capture.ts';
import { isSameSound, maxFiles, maxSounds, type SoundSource } from '../../../shared/model/source.ts';
import { asInput, type SourceDraft } from './source-draft.ts';
import { nameSound } from './source-names.ts';

/** A draft after an addition, with the reason if the addition failed. */
export interface Mixed {
  draft: SourceDraft;
  /** A sentence. */
  fault?: string;
}

/** The draft with one more sound in its mix; the same draft with a fault if that isn't possible. */
export function mixSound(draft: SourceDraft, of: SoundSource): Mixed {
  const { wantsSound: _, isUnchosen: __, ...rest } = draft;
  const { sounds } = rest;
  if (sounds.some((input) => isSameSound(input.of, of))) {
    const fault = `“${isolateName(nameSound(of))}” is in the mix already. Choose another sound, or change the level of that one.`;
    return { draft, fault };
  }
  if (of.kind === 'files' && of.paths.length > maxFiles) {
    return { draft, fault: `A sound has at most ${maxFiles} files. Choose fewer, or add them as several sounds.` };
  }
  if (sounds.length >= maxSounds) return { draft, fault: `A mix has at most ${maxSounds} sounds. Remove one first.` };
  return { draft: { ...rest, sounds: [...sounds, asInput(of)] } };
}

/**
 * The draft with the default microphone, if choosing a screen, a window or a camera left it without sound: a first show should be heard.
 * The same object if nothing changes.
 */
export function suggestMicrophone(draft: SourceDraft, microphones: readonly ListedDevice[]): SourceDraft {
  const { wantsSound, ...rest } = draft;
  const microphone = microphones.find(({ isDefault }) => isDefault === true) ?? microphones[0];
  if (wantsSound !== true || microphone === undefined) return draft;
  const { id, name } = microphone;
  const suggested: SoundSource = { kind: 'microphone', device: { id, name } };
  return { ...rest, sounds: [asInput(suggested)], suggested };
}
