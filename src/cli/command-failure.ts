/** A command that did not do what it was asked to: its exit status, and the sentence that says why. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitStatus: number;

  constructor(exitStatus: number, sentence: string, options?: { cause?: unknown }) {
    super(sentence, options);
    this.exitStatus = exitStatus;
  }
}
