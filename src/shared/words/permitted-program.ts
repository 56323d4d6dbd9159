/**
 * The program that the system's privacy settings list for the desktop app and the service. On macOS a permission belongs to the program
 * that started the others: with `npm start` it is the terminal.
 */
export const permittedProgram = 'Tallylight, or the terminal that started it,';
