import packageJson from '../../../package.json' with { type: 'json' };

/** This Tallylight's version, as package.json names it. */
export const version: string = packageJson.version;
