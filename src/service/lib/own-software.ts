/** Our publisher's name of itself in `connect`. It starts with the text that servers expect from an encoder. */
export const ownSoftware = 'FMLE/3.0 (compatible; Tallylight)';
