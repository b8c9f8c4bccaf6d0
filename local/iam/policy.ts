/** One statement of a role's policies. */
export type Statement = {
  readonly effect: "Allow" | "Deny";
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** It also asks for something we do not evaluate (conditions, NotAction, NotResource). */
  readonly conditional: boolean;
};

export type Permission = { readonly action: string; readonly resource: string };

/**
 * Decides whether a role's statements allow one action on one resource: a Deny wins, and what nobody allows is
 * refused. A conditional statement is read in the strict way: its Deny holds, its Allow does not.
 */
export function isAllowed(statements: readonly Statement[], { action, resource }: Permission): boolean {
  const matching = statements.filter(
    (statement) =>
      statement.actions.some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
      statement.resources.some((pattern) => matches(pattern, resource)),
  );
  if (matching.some(({ effect }) => effect === "Deny")) return false;
  return matching.some(({ effect, conditional }) => effect === "Allow" && !conditional);
}

/** `*` stands for any characters, `?` for one. */
function matches(pattern: string, value: string): boolean {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s").test(value);
}
