import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** How long a build takes on a busy computer is no warning. */
const checks = { pluginTimings: false };

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
        // The programs: Electron's main process, the headless host, the command line.
        input: {
          index: path('src/main/index.ts'),
          headless: path('src/headless/index.ts'),
          tallylight: path('src/cli/index.ts'),
          // A thread of theirs.
          'checkpoint-worker': path('src/service/store/checkpoint-worker.ts'),
        },
        // What loads binaries from its own folder stays outside.
        external: ['electron', 'keytar', 'ffmpeg-static'],
        checks,
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          // V8 keeps a script's text in memory, at two bytes per character unless all are ASCII. Comments are in the source maps.
          charset: 'ascii',
          comments: false,
        },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload can require nothing but Electron, and must be CommonJS.
      externalizeDeps: false,
      outDir: path('out/preload'),
      emptyOutDir: true,
      rollupOptions: {
        input: { index: path('src/preload/index.ts') },
        external: ['electron'],
        checks,
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
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
      rollupOptions: {
        input: { index: path('src/renderer/index.html'), capture: path('src/renderer/capture.html') },
        checks,
      },
    },
  },
});
