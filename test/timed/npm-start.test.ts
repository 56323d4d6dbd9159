import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { testSource } from '../../src/shared/model/source.ts';
import { openHostContract } from '../support/host-contract.ts';
import { copyProbes } from '../support/probed-ffmpeg.ts';

let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tallylight-start-'));
  mkdirSync(join(folder, 'tallylight'));
  await copyProbes(join(folder, 'tallylight'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs what `npm start` runs on a computer without display and keyring, until `stop`. */
function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['src/tools/start.ts'], {
    env: {
      ...process.env,
      HOME: folder,
      XDG_DATA_HOME: folder,
      DISPLAY: '',
      WAYLAND_DISPLAY: '',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
      TALLYLIGHT_SECRETS: '',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  // A test that failed leaves nothing running: it passes the signal on to its host.
  onTestFinished(async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    await exited;
  });
  const errors = text(child.stderr);
  const lines: string[] = [];
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line));
  return {
    lines,
    async findLine(shape: RegExp): Promise<string> {
      for (let index = 0; ; index += 1) {
        if (lines[index] === undefined) await once(reader, 'line', { signal: AbortSignal.timeout(20_000) });
        if (shape.test(lines[index] ?? '')) return lines[index] ?? '';
      }
    },
    exited,
    errors,
    stop(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal);
      return exited;
    },
  };
}

/** How many running processes have an environment that names this test's folder. */
function countProcesses(): number {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'utf8').includes(`XDG_DATA_HOME=${folder}\0`);
    } catch {
      return false;
    }
  }).length;
}

test.runIf(process.platform === 'linux')(
  'without a display it says so and opens the browser host; a second instance is refused; Ctrl-C ends everything, including ffmpeg',
  async () => {
    const started = start();
    const url = (await started.findLine(/^Open it in your browser: /)).replace('Open it in your browser: ', '');
    expect(started.lines[0]).toBe(
      'Tallylight opens in your browser instead of a window of its own: there is no display for a window.',
    );
    expect(started.lines[1]).toMatch(/^(?:The keychain needs|No keyring service) .*gnome-keyring.*\.$/);
    await started.findLine(/^Secrets are kept in memory: stream keys change on every start\.$/);

    const second = start();
    expect(await second.exited).toBe(1);
    expect(await second.errors).toBe(
      `Tallylight cannot start: Another Tallylight is using the data folder ${join(folder, 'tallylight')}. Close it, or choose another folder.\n`,
    );

    using contract = await openHostContract(url);
    const { id } = await contract.app.stream.create({ name: 'first' });
    await contract.app.broadcast.goLive({ streamId: id, source: testSource });
    for await (const { oneClick } of await contract.app.stream.watch({ streamId: id })) {
      if (oneClick.kind === 'running') break;
    }
    // start.ts, the host, and ffmpeg: the capture, the encoders of video and audio, and the meter.
    await expect.poll(countProcesses).toBe(6);

    const stoppedAtMs = performance.now();
    expect(await started.stop('SIGINT')).toBe(0);
    expect(performance.now() - stoppedAtMs).toBeLessThan(5_000);
    expect(countProcesses()).toBe(0);
  },
);

test.runIf(process.platform === 'linux')(
  'the place in TALLYLIGHT_SECRETS is used, and no other: neither a wrong nor an unusable one becomes memory',
  async () => {
    const keyFile = join(folder, 'key');
    const started = start({ TALLYLIGHT_SECRETS: `file:${keyFile}` });
    await started.findLine(/^Secrets are encrypted with the key in /);
    expect(readFileSync(keyFile, 'utf8')).toMatch(/^[\w+/]{43}=\n$/);
    expect(await started.stop('SIGINT')).toBe(0);

    const wrong = start({ TALLYLIGHT_SECRETS: 'fiel:/key' });
    expect(await wrong.exited).toBe(1);
    expect(await wrong.errors).toContain('It must be os, memory, or file: and a path');

    const unusable = start({ TALLYLIGHT_SECRETS: 'os' });
    expect(await unusable.exited).toBe(1);
    expect(await unusable.errors).toMatch(/^Tallylight cannot start: .*keyring.*\n$/);

    const forgotten = start();
    expect(await forgotten.exited).toBe(1);
    expect(await forgotten.errors).toContain(`Start with the location of secrets that you used before: file:${keyFile}.`);
  },
);
