/**
 * Whom the system's privacy settings list for the desktop app and the service. On macOS a permission is that of the program from which
 * others are started: with `npm start` it is the terminal.
 */
export const permittedProgram = 'Tallylight, or the terminal that started it,';
