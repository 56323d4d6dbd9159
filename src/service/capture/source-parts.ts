import { isDeepStrictEqual } from 'node:util';
import type { AwayPart, CaptureFault } from '../../shared/model/capture.ts';
import type { Inset, PictureSource, SoundInput, SoundSource, Source } from '../../shared/model/source.ts';
import type { FeedFormat } from './feed-format.ts';
import { placeInset } from './i420.ts';
import type { MixInput } from './mixer.ts';
import { type CaptureTools, openPicture, openSound, type PicturePart, type SoundPart } from './parts.ts';

/** A part of a source, and what it was opened for, so that an equal request reuses it. */
interface Opened<Part> {
  key: string;
  part: Part;
}

/** A sound of a source, and how it is mixed. */
interface OpenedSound extends Opened<SoundPart> {
  settings: SoundInput;
}

/** The parts of one source, being captured. */
export class SourceParts {
  readonly source: Source;
  readonly #main: Opened<PicturePart>;
  readonly #inset: Opened<PicturePart> | undefined;
  readonly #sounds: readonly OpenedSound[];

  /**
   * Begins to capture a source. Parts that `before` captures in the same way keep running; but files that are over restart
   * if the same source is chosen again.
   */
  constructor(source: Source, format: FeedFormat, tools: CaptureTools, before?: SourceParts) {
    this.source = source;
    const isAgain = before !== undefined && isSameSource(source, before.source);
    const known = before ? [before.#main, before.#inset].filter((part) => part !== undefined) : [];
    const knownSounds = before ? before.#sounds : [];
    const find = <Part extends PicturePart | SoundPart>(
      all: readonly Opened<Part>[],
      key: string,
      { kind }: PictureSource | SoundSource,
    ) => all.find((opened) => opened.key === key && !(isAgain && isSpent(kind, opened.part)));
    const openedPicture = (of: PictureSource, size: FeedFormat): Opened<PicturePart> => {
      const key = JSON.stringify([of, size]);
      return find(known, key, of) ?? { key, part: openPicture(of, size, tools) };
    };
    const { main, inset } = source.picture;
    this.#main = openedPicture(main, format);
    this.#inset = inset && openedPicture(inset.of, insetFormat(inset, format));
    const isMainNew = this.#main.part !== before?.main;
    this.#sounds = source.sound.inputs.map((settings) => {
      const { of } = settings;
      const key = JSON.stringify(of.kind === 'of-picture' ? [of, this.#main.key] : of);
      const same = of.kind === 'of-picture' && isMainNew ? undefined : find(knownSounds, key, of);
      return { key, part: same?.part ?? openSound(of, this.#main.part.sound, tools), settings };
    });
  }

  get main(): PicturePart {
    return this.#main.part;
  }

  get inset(): PicturePart | undefined {
    return this.#inset?.part;
  }

  /** The inputs of the mix. */
  get sounds(): readonly MixInput[] {
    return this.#sounds.map(({ part, settings }) => ({ tap: part, settings }));
  }

  /** Resolves once every part has media or is known to be away. */
  get settled(): Promise<unknown> {
    return Promise.all(this.#parts.map(({ settled }) => settled));
  }

  /** ffmpeg's log about the main picture's file. */
  get pictureLog(): string[] {
    return [...(this.main.log ?? [])];
  }

  /** The parts that viewers miss, and why. A sound that is muted in the mix isn't missed. */
  get away(): AwayPart[] {
    return this.#describeAway(() => true);
  }

  /** The parts that are away and that another source doesn't have. */
  awayBeside(other: SourceParts): AwayPart[] {
    const others = other.#parts;
    return this.#describeAway((part) => !others.includes(part));
  }

  #describeAway(isMeant: (part: PicturePart | SoundPart) => boolean): AwayPart[] {
    const { main, inset } = this.source.picture;
    const pictures = [
      { part: 'picture' as const, of: main, by: this.main },
      ...(inset ? [{ part: 'inset' as const, of: inset.of, by: this.inset }] : []),
    ];
    return [
      ...pictures.flatMap(({ part, of, by }) =>
        by?.fault && isMeant(by) ? [{ part, ...describe(of, by), fault: by.fault }] : [],
      ),
      ...this.#sounds.flatMap(({ part: by, settings: { of, isMuted } }, input) =>
        by.fault && !isMuted && isMeant(by) ? [{ part: 'sound' as const, input, ...describe(of, by), fault: by.fault }] : [],
      ),
    ];
  }

  /** Ends the captures that none of the `others` uses. */
  async close(...others: SourceParts[]): Promise<void> {
    const kept = new Set(others.flatMap((other) => other.#parts));
    await Promise.all(this.#parts.filter((part) => !kept.has(part)).map((part) => part.close()));
  }

  get #parts(): (PicturePart | SoundPart)[] {
    return [this.main, ...(this.inset ? [this.inset] : []), ...this.#sounds.map(({ part }) => part)];
  }
}

/** Whether the same source is chosen again, for example to replay files that have ended. */
export function isSameSource(one: Source, other: Source): boolean {
  return isDeepStrictEqual(one, other);
}

/** The faults of files that give no more media. */
const spentCodes: readonly CaptureFault['code'][] = [
  'ended',
  'ended-early',
  'failed',
  'not-started',
  'file-gone',
  'file-forbidden',
  'file-is-folder',
  'file-unreadable',
  'stuck',
];

function isSpent(kind: (PictureSource | SoundSource)['kind'], { fault }: PicturePart | SoundPart): boolean {
  return (kind === 'files' || kind === 'still') && fault !== undefined && spentCodes.includes(fault.code);
}

/** An inset is captured as large as it is shown. */
function insetFormat(inset: Inset, format: FeedFormat): FeedFormat {
  const { width, height } = placeInset(inset, format);
  return { width, height, fps: format.fps };
}

function describe(
  of: PictureSource | SoundSource,
  { faultyPath }: Pick<PicturePart, 'faultyPath'>,
): Pick<AwayPart, 'kind' | 'name'> {
  switch (of.kind) {
    case 'files':
      return { kind: of.kind, name: faultyPath ?? '' };
    case 'still':
      return { kind: of.kind, name: of.path };
    case 'test-picture':
      return { kind: of.kind, name: '' };
    case 'test-tone':
    case 'of-picture':
      // Never away on their own.
      return { kind: 'files', name: '' };
    case 'page':
      return { kind: of.kind, name: of.name };
    default:
      return { kind: of.kind, name: of.device.name };
  }
}
