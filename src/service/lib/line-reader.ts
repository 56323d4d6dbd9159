/** No program that we start writes a longer line that matters. */
const maxLineLength = 16 * 1024;

/**
 * Splits a program's output into lines as it arrives; empty ones are left out. Of a longer line only its first 16,384 characters are
 * kept, so a program that never ends a line can't fill the memory.
 */
export class LineReader {
  #rest = '';

  /** Takes more text and returns the lines it completes. */
  push(text: string): string[] {
    const lines = (this.#rest + text).split(/[\r\n]+/).map((line) => line.slice(0, maxLineLength));
    this.#rest = lines.pop() ?? '';
    return lines.filter((line) => line !== '');
  }

  /** The line that the output ended with, if it isn't complete. */
  end(): string[] {
    return this.push('\n');
  }
}
