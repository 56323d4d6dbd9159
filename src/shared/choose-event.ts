/**
 * The event that tells the app's capture page to open the picker for a capture, whose id is in `detail`. The main process dispatches it
 * as a user's gesture, without which a page may not ask for a screen.
 */
export const chooseEvent = 'tallylight:choose';
