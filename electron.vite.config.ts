import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Each program that runs in Node or in Electron's main process, by its name in out/main. */
const programs = {
  index: path('src/main/index.ts'),
  headless: path('src/headless/index.ts'),
  tallylight: path('src/cli/index.ts'),
};

const preload = path('src/preload/index.ts');
const page = path('src/renderer/index.html');

/** How long a build takes on a busy computer is no warning. */
const checks = { pluginTimings: false };

/** What stays outside the bundle: what loads binaries from its own folder. */
const external = ['electron', 'keytar', 'ffmpeg-static'];

export default defineConfig({
  main: {
    resolve: { conditions: ['node', 'import', 'module', 'default'] },
    build: {
      // One file to read instead of hundreds: the headless host starts in half the time.
      externalizeDeps: false,
      outDir: path('out/main'),
      emptyOutDir: true,
      sourcemap: true,
      minify: false,
      rollupOptions: {
        input: Object.fromEntries(Object.entries(programs).filter(([, file]) => existsSync(file))),
        external,
        checks,
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: existsSync(preload)
    ? {
        build: {
          // A sandboxed preload can require nothing but Electron, and must be CommonJS.
          externalizeDeps: false,
          outDir: path('out/preload'),
          emptyOutDir: true,
          rollupOptions: {
            input: { index: preload },
            checks,
            external: ['electron'],
            output: { format: 'cjs', entryFileNames: '[name].cjs' },
          },
        },
      }
    : undefined,
  renderer: existsSync(page)
    ? {
        root: path('src/renderer'),
        plugins: [react()],
        build: {
          outDir: path('out/renderer'),
          emptyOutDir: true,
          sourcemap: true,
          minify: true,
          // Everything comes from files: the pages' Content-Security-Policy allows no inline script, style or data URL.
          assetsInlineLimit: 0,
          modulePreload: { polyfill: false },
          // Files come from this computer: one larger script costs nothing.
          chunkSizeWarningLimit: 4_096,
          rollupOptions: { input: { index: page }, checks },
        },
      }
    : undefined,
});
