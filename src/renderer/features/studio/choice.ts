import { maxFiles, Source, testSource } from '../../../shared/model/source.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { type DraftFault, fromSource, type SourceDraft, toSource } from './source-draft.ts';

/** The way to go live: with a source of this computer, or with another program. */
export interface Choice {
  way: 'own' | 'encoder';
  /** The source, kept while the other way is chosen. */
  source: SourceDraft;
}

/**
 * Studio's initial choice: the current source, else the last one or the test picture. An encoder if one click can't work, or if only
 * encoders have broadcast so far: a press of Go live must not show their viewers the test picture.
 */
export function initialChoice(
  {
    stream,
    oneClick,
    lastChoice,
    lastBroadcast,
    lost,
  }: Pick<StreamLive, 'stream' | 'oneClick' | 'lastChoice' | 'lastBroadcast' | 'lost'>,
  hasFfmpeg: boolean,
): Choice {
  const isOffAir = stream.air.kind === 'off-air';
  const current = 'source' in oneClick ? oneClick.source : undefined;
  const wasOnAir = (lastBroadcast ?? lost) !== undefined || stream.lastSeen > 0;
  const isOfEncoders = lastChoice === undefined && wasOnAir;
  const isEncoder = current === undefined && (!isOffAir || !hasFfmpeg || isOfEncoders);
  return { way: isEncoder ? 'encoder' : 'own', source: fromSource(current ?? lastChoice?.source ?? testSource) };
}

/**
 * The choice with the source that is on air. A draft of the same source stays: it knows more, such as which sound was suggested. But once
 * it is on air without a sound, none is suggested any more.
 */
export function takeOver({ source: draft }: Choice, onAir: Source): Choice {
  const parsed = toSource(draft);
  const isSame = 'source' in parsed && order(parsed.source) === order(onAir);
  return { way: 'own', source: isSame && !draft.wantsSound ? draft : fromSource(onAir) };
}

/** A source as text that doesn't depend on the order of keys: the schema puts them in its own. */
function order(source: Source): string {
  return JSON.stringify(Source.safeParse(source).data ?? source);
}

/** What keeps a choice from going live. */
export type ChoiceFault = DraftFault | 'bad-quality';

const complete = 'Complete the source to go live.';
const correct = 'Correct it to go live.';

/** What is missing or wrong, in Health's words. */
export const unready: Readonly<Record<ChoiceFault, { title: string; sentence: string }>> = {
  'no-file': { title: 'No file is chosen', sentence: complete },
  'too-many-files': { title: 'Too many files are chosen', sentence: correct },
  'bad-start': { title: "“Start at” isn't a time", sentence: correct },
  'no-still': { title: 'No picture is chosen', sentence: complete },
  'no-device': { title: 'Nothing is chosen to show', sentence: complete },
  'no-inset': { title: 'No camera is chosen for the corner', sentence: complete },
  'bad-quality': { title: 'A quality setting is wrong', sentence: correct },
};

/** How to complete the choice, by what is missing. */
export const faultAdvice: Readonly<Record<DraftFault, string>> = {
  'no-file': 'Choose a file, or type its path.',
  'too-many-files': `A list has at most ${maxFiles} files. Remove some.`,
  'bad-start': 'Use minutes and seconds, like 1:30.',
  'no-still': 'Choose a picture, or type its path.',
  'no-device': 'Choose one, or choose another picture.',
  'no-inset': 'Choose a camera, or switch off the corner.',
};
