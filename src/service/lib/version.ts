import packageJson from '../../../package.json' with { type: 'json' };

/** This Tallylight's version, from package.json. */
export const version: string = packageJson.version;
