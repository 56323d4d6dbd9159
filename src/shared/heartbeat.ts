/** How often the service sends a heartbeat, in milliseconds. A page that hears none for more than two intervals has lost it. */
export const beatIntervalMs = 2_000;
