/** What shows until the page does: `--surface-0` of the page's styles in the dark and in the light. */
export const backgroundColor = { dark: '#0f1114', light: '#f4f5f7' };
