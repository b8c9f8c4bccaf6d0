import { join, relative } from "node:path";
import type { BuildFailure, Message } from "esbuild";
import { isBuildFailure } from "../project/is-explained-by-message.ts";
import type { Project } from "../project/project.ts";

/** Mistakes that are listed; one often causes the next ones. */
const MAX_SHOWN = 5;

/**
 * Bundles, and has what keeps it from that say so in its author's words.
 *
 * @throws esbuild's `BuildFailure`, with the message of `textOfFailure`
 */
export async function explainingFailure<T>(project: Project, bundle: () => Promise<T>): Promise<T> {
  try {
    return await bundle();
  } catch (error) {
    if (isBuildFailure(error)) error.message = textOfFailure(error, project);
    throw error;
  }
}

/**
 * What keeps code from being bundled, with the files as their author names them: `tools/refund.ts:12:9: Expected ")"`, and
 * the line below it.
 *
 * @param project.root  what the bundler's own paths begin at
 * @param project.home  what the author's paths begin at
 */
export function textOfFailure({ errors }: BuildFailure, project: Pick<Project, "root" | "home">): string {
  const shown = errors.slice(0, MAX_SHOWN).map((one) => textOf(one, project));
  const more = errors.length > MAX_SHOWN ? [`and ${errors.length - MAX_SHOWN} more`] : [];
  return [...new Set([...shown, ...more])].join("\n");
}

function textOf({ text, location }: Message, { root, home }: Pick<Project, "root" | "home">): string {
  if (location === null) return text;
  const file = relative(home, join(root, location.file));
  const where = `${file}:${location.line}:${location.column + 1}`;
  return `${where}: ${text}\n    ${location.lineText.trim()}`;
}
