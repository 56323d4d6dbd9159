import { registerHooks } from 'node:module';
import './remote-control.ts';

const standIn = new URL('./electron.ts', import.meta.url).href;

// `node --import <this file> out/main/index.js` runs the built app with the stand-in in place of Electron.
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === 'electron' ? { url: standIn, shortCircuit: true } : nextResolve(specifier, context),
});
