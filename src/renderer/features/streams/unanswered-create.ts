/** The advice after a Create whose answer was lost. */
export const lookForStream = 'Look for the stream before you create another.';
