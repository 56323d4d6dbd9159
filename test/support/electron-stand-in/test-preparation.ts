const prepared = Promise.withResolvers<void>();
if (process.env.ELECTRON_STAND_IN_AWAITS_TEST !== '1') prepared.resolve();

/** Resolves at once; with `ELECTRON_STAND_IN_AWAITS_TEST=1`, when code of a test has run in the app, which is not ready before. */
export const isPrepared: Promise<void> = prepared.promise;

/** Code of a test has run. */
export const notePrepared = (): void => prepared.resolve();
