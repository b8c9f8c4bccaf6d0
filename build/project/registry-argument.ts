/** The file that `--registry <file>` names on the command line; undefined for the project's own registry. */
export function registryArgument(args: readonly string[]): string | undefined {
  const at = args.indexOf("--registry");
  return at < 0 ? undefined : args[at + 1];
}
