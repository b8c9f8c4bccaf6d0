/** One statement of a role's policies. */
export type Statement = {
  readonly effect: "Allow" | "Deny";
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** The statement has a part that we do not evaluate (most conditions, NotAction, NotResource). */
  readonly conditional: boolean;
  /** Allowed values of the request's context, by key. */
  readonly equals?: Readonly<Record<string, readonly string[]>>;
  /** Patterns of which the request's context must match one, by key. */
  readonly like?: Readonly<Record<string, readonly string[]>>;
};

export type Permission = {
  readonly action: string;
  readonly resource: string;
  readonly context?: Readonly<Record<string, string>>;
};

/**
 * Decides whether a role's statements allow one action on one resource. A Deny wins, and what no statement allows is
 * refused. A conditional statement is read strictly: its Deny applies, its Allow does not.
 */
export function isAllowed(
  statements: readonly Statement[],
  { action, resource, context = {} }: Permission,
): boolean {
  const matching = statements.filter(
    (statement) =>
      statement.actions.some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
      statement.resources.some((pattern) => matches(pattern, resource)),
  );
  if (matching.some(({ effect }) => effect === "Deny")) return false;
  return matching.some(
    ({ effect, conditional, equals = {}, like = {} }) =>
      effect === "Allow" && !conditional && hasContext(equals, context) && isLike(like, context),
  );
}

const hasContext = (
  equals: NonNullable<Statement["equals"]>,
  context: Readonly<Record<string, string>>,
): boolean => Object.entries(equals).every(([key, values]) => values.includes(context[key] ?? ""));

const isLike = (like: NonNullable<Statement["like"]>, context: Readonly<Record<string, string>>): boolean =>
  Object.entries(like).every(([key, patterns]) => {
    const value = context[key];
    return value !== undefined && patterns.some((pattern) => matches(pattern, value));
  });

/** `*` matches any characters, `?` one. */
export function matches(pattern: string, value: string): boolean {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s").test(value);
}
