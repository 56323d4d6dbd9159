/** As browsers have it, and as Safari before 15 has it, which answers by the callback only. */
interface Notifications {
  requestPermission(callback?: () => void): Promise<unknown> | undefined;
}

/** Asks the user for notifications; resolves when they have answered, or cannot. What they answered stands in `permission`. */
export function askForNotifications(notifications: Notifications): Promise<void> {
  return new Promise((resolve) => {
    const done = () => resolve();
    notifications.requestPermission(done)?.then(done, done);
  });
}
