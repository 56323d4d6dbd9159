/** A timer this late, in milliseconds, was held up because the page slept or was hidden; messages may still be unread. */
export const lateTimerMs = 1_000;
