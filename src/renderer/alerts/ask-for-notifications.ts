/** The part of `Notification` we use. Safari before 15 answers only through the callback. */
interface Notifications {
  requestPermission(callback?: () => void): Promise<unknown> | undefined;
}

/** Asks the user for permission; resolves when they have answered or can't. `permission` holds their answer. */
export function askForNotifications(notifications: Notifications): Promise<void> {
  return new Promise((resolve) => {
    const done = () => resolve();
    notifications.requestPermission(done)?.then(done, done);
  });
}
