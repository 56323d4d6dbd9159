/** The first argument of Electron's events: lets listeners prevent the default. */
export function preventable<Details extends object>(details?: Details) {
  const event = {
    defaultPrevented: false,
    preventDefault: () => {
      event.defaultPrevented = true;
    },
  };
  return Object.assign(event, details);
}
