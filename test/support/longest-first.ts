import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Starts the files that took longest last time first, so that none runs alone at the end. Files that have never run here come before
 * all others, the largest first.
 *
 * Vitest calls it once for each group of projects. Those of one project follow each other: a worker takes the next file only if that is of
 * the same project, and a new one takes more than a second to start.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weigh = (file: TestSpecification) => {
      const known = this.ctx.cache.getTestSpecificationResult(file);
      return known === undefined ? { unknown: statSync(file.moduleId).size, known: 0 } : { unknown: 0, known: known.duration };
    };
    const weights = new Map(files.map((file) => [file, weigh(file)]));
    const of = (file: TestSpecification) => weights.get(file) ?? { unknown: 0, known: 0 };
    return files.toSorted(
      (one, other) =>
        one.project.name.localeCompare(other.project.name) ||
        of(other).unknown - of(one).unknown ||
        of(other).known - of(one).known,
    );
  }
}
