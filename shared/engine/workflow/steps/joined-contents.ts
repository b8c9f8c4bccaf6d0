/** The input of the step after concurrent steps: their contents under their names, as text where all are text. */
export function joinedContents(answers: readonly (readonly [name: string, content: unknown])[]): unknown {
  if (answers.every(([, content]) => typeof content === "string")) {
    return answers.map(([name, content]) => `## ${name}\n\n${content}`).join("\n\n");
  }
  return Object.fromEntries(answers);
}
