/** The first argument of Electron's events: what happens by default can be prevented. */
export function preventable<Details extends object>(details?: Details) {
  const event = {
    defaultPrevented: false,
    preventDefault: () => {
      event.defaultPrevented = true;
    },
  };
  return Object.assign(event, details);
}
