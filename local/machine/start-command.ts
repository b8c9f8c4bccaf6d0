/**
 * How the user starts the platform, for sentences that ask for it: the package, which is compiled, by its command line; a clone
 * by its script.
 *
 * @param file  a file of the platform; this one when absent
 */
export const startCommand = (file: string = import.meta.filename): string =>
  file.endsWith(".js") ? "npx agent-platform dev" : "npm start";
