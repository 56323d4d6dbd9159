import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { writeCountedProgram } from '../../test/support/counted-program.ts';
import { installPackages } from './system-packages.ts';

test.runIf(process.platform !== 'win32')(
  'apt-get waits for another apt-get, and gets the list of packages where there is none',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tallylight-apt-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const list = join(folder, 'list');
    const script = `case "$*" in *update) : > '${list}' ;; *) [ -e '${list}' ] ;; esac`;
    const { readRuns } = await writeCountedProgram(join(folder, 'apt-get'), script);
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    using _said = vi.spyOn(console, 'error').mockReturnValue();
    expect(installPackages(['python3-pip', 'xvfb'])).toBe(true);
    const install = '-qq -y -o DPkg::Lock::Timeout=120 install --no-install-recommends python3-pip xvfb\n';
    expect(await readRuns()).toBe(`${install}-qq -y -o DPkg::Lock::Timeout=120 update\n${install}`);
  },
);
