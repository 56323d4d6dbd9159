/** The window's background until the page shows: `--surface-0` of the page's styles, dark and light. */
export const backgroundColor = { dark: '#0f1114', light: '#f4f5f7' };
