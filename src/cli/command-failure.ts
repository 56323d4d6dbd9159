/** A command failed: its exit status and a sentence with the reason. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitStatus: number;

  constructor(exitStatus: number, sentence: string, options?: { cause?: unknown }) {
    super(sentence, options);
    this.exitStatus = exitStatus;
  }
}
