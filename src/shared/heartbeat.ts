/** How often the service says that it is there, in milliseconds: a page that hears nothing for longer than two of these has lost it. */
export const beatIntervalMs = 2_000;
