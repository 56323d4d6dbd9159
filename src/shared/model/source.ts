import { z } from 'zod';

/** Paths of files on the service's computer. */
const Path = z.string().min(1).max(4096);
/** How many files may play one after another. */
export const maxFiles = 200;
const Paths = z.array(Path).min(1).max(maxFiles);

/** A camera, microphone, screen or window of the service's computer: its id there, and its name as the system shows it. */
export const Device = z.strictObject({ id: z.string().min(1).max(1024), name: z.string().min(1).max(1024) });
export type Device = z.infer<typeof Device>;

/** A device by its id in the pages of one place: it can be captured again without asking. */
export const PageCaptureDevice = z.strictObject({ place: z.string().min(1).max(64), id: z.string().min(1).max(1024) });
export type PageCaptureDevice = z.infer<typeof PageCaptureDevice>;

/** A capture that a page makes, sending its media to the service. Captures end with the service; `device` outlives it. */
const PageCapture = {
  kind: z.literal('page'),
  captureId: z.string().min(1).max(64),
  name: z.string().min(1).max(1024),
  device: PageCaptureDevice.optional(),
};

/** Where a picture comes from. Files play one after another; `startAtSeconds` is a time in the first, in its first round. */
export const PictureSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('test-picture') }),
  z.strictObject({
    kind: z.literal('files'),
    paths: Paths,
    loops: z.boolean(),
    startAtSeconds: z
      .number()
      .min(0)
      .max(7 * 24 * 3600)
      .optional(),
  }),
  z.strictObject({ kind: z.literal('still'), path: Path }),
  z.strictObject({ kind: z.literal('screen'), device: Device }),
  z.strictObject({ kind: z.literal('window'), device: Device }),
  z.strictObject({ kind: z.literal('camera'), device: Device }),
  z.strictObject({ ...PageCapture, of: z.enum(['screen', 'window', 'camera']) }),
]);
export type PictureSource = z.infer<typeof PictureSource>;

/** A smaller picture in a corner of the main one. `share` is its width as a share of the main one's. */
export const Inset = z.strictObject({
  of: PictureSource,
  corner: z.enum(['top-left', 'top-right', 'bottom-left', 'bottom-right']),
  share: z.number().min(0.1).max(0.5),
});
export type Inset = z.infer<typeof Inset>;

/** What viewers see. */
const Picture = z.strictObject({ main: PictureSource, inset: Inset.optional() });

/** Where a sound comes from. `of-picture` is the sound in the picture's files; `system` is what the computer plays. */
export const SoundSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('test-tone') }),
  z.strictObject({ kind: z.literal('of-picture') }),
  z.strictObject({ kind: z.literal('files'), paths: Paths, loops: z.boolean() }),
  z.strictObject({ kind: z.literal('microphone'), device: Device }),
  z.strictObject({ kind: z.literal('system'), device: Device }),
  z.strictObject({ ...PageCapture, of: z.enum(['microphone', 'system']) }),
]);
export type SoundSource = z.infer<typeof SoundSource>;

/** One sound of the mix, and its level there. */
export const SoundInput = z.strictObject({ of: SoundSource, levelDb: z.number().min(-60).max(12), isMuted: z.boolean() });
export type SoundInput = z.infer<typeof SoundInput>;

/** The paths of the files that a picture or a sound plays. */
export function listFiles(of: PictureSource | SoundSource): readonly string[] {
  if (of.kind === 'files') return of.paths;
  return of.kind === 'still' ? [of.path] : [];
}

/** The most sounds of a mix. */
export const maxSounds = 6;

/** Whether two sounds are the same. A capture can be read only once: with two readers it would play twice as fast. */
export function isSameSound(one: SoundSource, other: SoundSource): boolean {
  return soundKey(one) === soundKey(other);
}

/** A text that is equal for the same sound only. */
export function soundKey(of: SoundSource): string {
  if (of.kind !== 'page') return JSON.stringify(of);
  return JSON.stringify(of.device ?? of.captureId);
}

const isEachOnce = (inputs: readonly SoundInput[]) => new Set(inputs.map(({ of }) => soundKey(of))).size === inputs.length;

/**
 * What viewers hear: a mix of different sounds, or silence without inputs. `limits`: a limiter keeps peaks from clipping. `isUnchosen`: it
 * has no inputs because nobody chose one, such as on a computer without a microphone; otherwise silence was chosen.
 */
export const Sound = z.strictObject({
  inputs: z.array(SoundInput).max(maxSounds).refine(isEachOnce, 'must not contain the same sound twice'),
  limits: z.boolean(),
  isUnchosen: z.literal(true).optional(),
});
export type Sound = z.infer<typeof Sound>;

/** What a one-click broadcast captures: a picture and a sound, chosen apart. */
export const Source = z.strictObject({ picture: Picture, sound: Sound });
export type Source = z.infer<typeof Source>;

/** A sound as it is, not limited. */
function soundOf(of: SoundSource): Sound {
  return { inputs: [{ of, levelDb: 0, isMuted: false }], limits: false };
}

/** The test picture with its tone. */
export const testSource: Source = { picture: { main: { kind: 'test-picture' } }, sound: soundOf({ kind: 'test-tone' }) };
