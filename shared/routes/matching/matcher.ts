import type { AccessRow, Method, Route } from "../route.ts";

/** A request's path and method belong to exactly this operation. */
export type Matched<Family extends string = string, Row extends AccessRow = Route> = {
  readonly family: Family;
  readonly operation: string;
  readonly route: Row;
  /** Percent-decoded once. */
  readonly params: Readonly<Record<string, string>>;
};

/** The path exists, but not with this method. */
export type OtherMethods = {
  readonly allowed: readonly Method[];
  /** Whether some method of the path needs no credential. */
  readonly public: boolean;
};

export type Match<Family extends string = string, Row extends AccessRow = Route> =
  | Matched<Family, Row>
  | OtherMethods
  | undefined;
export type Matcher<Family extends string = string, Row extends AccessRow = Route> = (
  method: string,
  rawPath: string,
) => Match<Family, Row>;

/** A row with its family and operation. */
type Endpoint = Omit<Matched<string, AccessRow>, "params">;
type Found<P extends Endpoint> = (P & Pick<Matched, "params">) | OtherMethods | undefined;
/** The segment must end with `suffix`, such as `:cancel`, which is not part of the value. */
type Variable<P extends Endpoint> = { name: string; suffix: string; node: Node<P> };
type Node<P extends Endpoint> = {
  readonly literals: Map<string, Node<P>>;
  /** By variable name: two rows may name the same segment differently. */
  readonly variables: Variable<P>[];
  readonly rows: Map<string, P>;
};

const emptyNode = <P extends Endpoint>(): Node<P> => ({
  literals: new Map(),
  variables: [],
  rows: new Map(),
});

/**
 * Compiles route tables into one lookup by method and raw path.
 *
 * A literal segment beats a variable one, from left to right; a variable matches exactly one segment that is not
 * empty. A variable may be followed by a verb (`{task_id}:cancel`). Trailing slashes are ignored except for `/` itself.
 * A segment whose percent-encoding is malformed matches nothing.
 *
 * @throws Error when two rows claim the same method and path
 * @source docs/interface/platform.md 3.1
 */
export function createMatcher<Family extends string, Row extends AccessRow = Route>(
  tables: Readonly<Partial<Record<Family, Readonly<Record<string, NoInfer<Row>>>>>>,
): Matcher<Family, Row> {
  const root = emptyNode<Omit<Matched<Family, Row>, "params">>();
  for (const [family, table] of Object.entries<Readonly<Record<string, Row>> | undefined>(tables)) {
    for (const [operation, route] of Object.entries(table ?? {})) {
      // The keys of `tables` are the families; the type of Object.entries does not say so.
      addRow(root, { family: family as Family, operation, route });
    }
  }
  return (method, rawPath) => {
    const segments = segmentsOf(rawPath);
    return segments && find(root, segments, 0, method, {});
  };
}

/** `{name}` and `{name}:verb` → `name`; undefined for a literal segment. */
export const variableName = (segment: string): string | undefined => variableIn(segment)?.name;

function variableIn(segment: string): { readonly name: string; readonly suffix: string } | undefined {
  const [, name, suffix = ""] = /^\{([^}]+)\}(:[^{}]+)?$/.exec(segment) ?? [];
  return name === undefined ? undefined : { name, suffix };
}

function addRow<P extends Endpoint>(root: Node<P>, row: P): void {
  let node = root;
  for (const segment of split(row.route.path)) {
    const variable = variableIn(segment);
    node = variable ? variableChild(node, variable) : literalChild(node, segment);
  }
  if (node.rows.has(row.route.method)) {
    throw new Error(`${row.route.method} ${row.route.path} is claimed twice`);
  }
  node.rows.set(row.route.method, row);
}

function literalChild<P extends Endpoint>(node: Node<P>, segment: string): Node<P> {
  const child = node.literals.get(segment) ?? emptyNode<P>();
  node.literals.set(segment, child);
  return child;
}

function variableChild<P extends Endpoint>(
  node: Node<P>,
  { name, suffix }: Omit<Variable<P>, "node">,
): Node<P> {
  const known = node.variables.find((variable) => variable.name === name && variable.suffix === suffix);
  if (known) return known.node;
  const added = { name, suffix, node: emptyNode<P>() };
  node.variables.push(added);
  return added.node;
}

/** The variables that match a segment. A segment that ends with a verb is never matched as a whole. */
function matchingVariables<P extends Endpoint>(node: Node<P>, segment: string): readonly Variable<P>[] {
  const fits = node.variables.filter(
    ({ suffix }) => segment.endsWith(suffix) && segment.length > suffix.length,
  );
  const verbs = fits.filter(({ suffix }) => suffix !== "");
  return verbs.length > 0 ? verbs : fits;
}

/** Depth first, literal before variable. A row with the method wins over a path that only has other methods. */
function find<P extends Endpoint>(
  node: Node<P>,
  segments: readonly string[],
  at: number,
  method: string,
  params: Readonly<Record<string, string>>,
): Found<P> {
  const segment = segments[at];
  if (segment === undefined) return matchAt(node, method, params);
  let others: OtherMethods | undefined;
  const branches = [
    { node: node.literals.get(segment), params },
    ...matchingVariables(node, segment).map(({ name, suffix, node }) => ({
      node,
      params: { ...params, [name]: segment.slice(0, segment.length - suffix.length) },
    })),
  ];
  for (const branch of branches) {
    const found = branch.node && find(branch.node, segments, at + 1, method, branch.params);
    if (found && "operation" in found) return found;
    if (found) others = mergedMethods(others, found);
  }
  return others;
}

function matchAt<P extends Endpoint>(
  node: Node<P>,
  method: string,
  params: Readonly<Record<string, string>>,
): Found<P> {
  const row = node.rows.get(method);
  if (row) return { ...row, params };
  const rows = [...node.rows.values()];
  if (rows.length === 0) return undefined;
  return {
    allowed: rows.map(({ route }) => route.method).sort(),
    public: rows.some(({ route }) => route.scopes === "public"),
  };
}

function mergedMethods(one: OtherMethods | undefined, other: OtherMethods): OtherMethods {
  if (!one) return other;
  return {
    allowed: [...new Set([...one.allowed, ...other.allowed])].sort(),
    public: one.public || other.public,
  };
}

const split = (path: string): string[] => (path === "/" ? [] : path.slice(1).split("/"));

/** Decoded segments; undefined for a path that cannot match anything. */
function segmentsOf(rawPath: string): string[] | undefined {
  if (!rawPath.startsWith("/")) return undefined;
  let end = rawPath.length;
  while (end > 1 && rawPath[end - 1] === "/") end--;
  try {
    return split(rawPath.slice(0, end)).map(decodeURIComponent);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
