/** What our own publisher calls itself in `connect`; the first words are those that servers expect of an encoder. */
export const ownSoftware = 'FMLE/3.0 (compatible; Tallylight)';
