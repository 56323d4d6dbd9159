import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { listFiles, type Source } from '../../shared/model/source.ts';
import { isSameSource } from '../capture/source-parts.ts';
import { PendingAnswers } from '../lib/pending-answers.ts';
import { untilAborted } from '../lib/until-aborted.ts';
import { pathError, unreadError } from './path-error.ts';

/** Every working drive answers far sooner. */
const answerWithinMs = 3_000;

/** Checks that the files of a source are there: one after another, since a drive may not answer ({@link PendingAnswers}). */
export class SourceFiles {
  readonly #looks: PendingAnswers<Stats>;
  readonly #answerWithinMs: number;

  constructor(look: (path: string) => Promise<Stats> = stat, withinMs = answerWithinMs) {
    this.#looks = new PendingAnswers(look);
    this.#answerWithinMs = withinMs;
  }

  /**
   * @param onAir the source that this one replaces: a fault of its files must not prevent another change, such as muting a
   *   microphone
   * @throws {ServiceError} SOURCE_FAILED, with a `pathFault` for the first that isn't a file, can't be read, or whose drive doesn't
   *   answer within 3 s
   */
  async check(source: Source, onAir?: Source): Promise<void> {
    const known = new Set(onAir === undefined || isSameSource(source, onAir) ? [] : pathsOf(onAir));
    for (const path of new Set(pathsOf(source))) {
      if (!known.has(path)) await this.#checkFile(path);
    }
  }

  async #checkFile(path: string): Promise<void> {
    const signal = AbortSignal.timeout(this.#answerWithinMs);
    const found = await untilAborted(this.#looks.ask(path), signal).catch((error: unknown) => {
      throw unreadError('file', path, error);
    });
    if (!found.isFile()) throw pathError({ code: 'not-a-file', of: 'file', path });
  }
}

function pathsOf({ picture: { main, inset }, sound }: Source): string[] {
  const parts = [main, ...(inset ? [inset.of] : []), ...sound.inputs.map(({ of }) => of)];
  return parts.flatMap(listFiles);
}
