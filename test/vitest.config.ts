import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Three projects: `unit` (beside the code), `integration` (real ffmpeg and sockets), `e2e` (the built hosts in Chromium).
 *
 * A test that fails once has failed: nothing is tried again. Errors nobody handled fail the run.
 */
export default defineConfig({
  root,
  test: {
    dangerouslyIgnoreUnhandledErrors: false,
    passWithNoTests: false,
    retry: 0,
    globalSetup: ['test/support/run-folder.ts'],
    projects: [
      {
        root,
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}', 'test/support/**/*.test.ts'],
          testTimeout: 10_000,
          // First, since they say most in the least time.
          sequence: { groupOrder: 1 },
        },
      },
      {
        root,
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
          pool: 'forks',
          // After the unit tests: real encoders beside them would make either slow.
          sequence: { groupOrder: 2 },
          maxWorkers: 2,
        },
      },
      {
        root,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          pool: 'forks',
          // One browser at a time: each decodes video.
          sequence: { groupOrder: 3 },
          maxWorkers: 1,
        },
      },
    ],
  },
});
