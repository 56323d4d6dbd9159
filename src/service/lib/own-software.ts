/** What our publisher calls itself in `connect`. It starts with what servers expect of an encoder. */
export const ownSoftware = 'FMLE/3.0 (compatible; Tallylight)';
