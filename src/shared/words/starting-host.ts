/**
 * The program that can't start. Only the headless host has options to name: the desktop app asks its user whether to continue without the
 * key, and `npm start` continues in memory.
 */
export type StartingHost = 'app' | 'headless';
