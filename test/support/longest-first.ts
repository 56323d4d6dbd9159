import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Starts the files that took longest last time first, across projects, so that none runs alone at the
 * end. Files that have never run here come before all others, the largest first.
 *
 * Vitest calls it once for each group of projects. A worker ends before a file of another project, and a new one takes a second to start;
 * sorted by project, three browsers at once and long files alone at the end take longer.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weigh = (file: TestSpecification) => {
      const known = this.ctx.cache.getTestSpecificationResult(file);
      return known === undefined ? { unknown: statSync(file.moduleId).size, known: 0 } : { unknown: 0, known: known.duration };
    };
    const weights = new Map(files.map((file) => [file, weigh(file)]));
    const of = (file: TestSpecification) => weights.get(file) ?? { unknown: 0, known: 0 };
    return files.toSorted((one, other) => of(other).unknown - of(one).unknown || of(other).known - of(one).known);
  }
}
