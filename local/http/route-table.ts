import type { ApiRoute } from "../template/edge.ts";

export type RouteMatch = {
  readonly route: ApiRoute;
  readonly pathParameters: Readonly<Record<string, string>>;
};

type Node = {
  readonly literals: Map<string, Node>;
  variable?: Node;
  /** Routes that end at this node, and greedy routes (`{proxy+}`) below it, by method. */
  readonly here: Map<string, ApiRoute>;
  readonly greedy: Map<string, ApiRoute>;
};

const newNode = (): Node => ({ literals: new Map(), here: new Map(), greedy: new Map() });
const segmentsOf = (path: string): string[] => path.split("/").slice(1);

/**
 * Finds routes in the order of precedence of an HTTP API: a literal segment before a variable, a full match before a
 * greedy one, a greedy match before `$default`, and a named method before `ANY`.
 */
export function routeTable(routes: readonly ApiRoute[]) {
  const root = newNode();
  let fallback: ApiRoute | undefined;
  for (const route of routes) {
    if (route.key === "$default") fallback = route;
    else add(root, route);
  }
  return (method: string, path: string): RouteMatch | undefined => {
    const segments = segmentsOf(path);
    const route = find(root, segments, 0, method) ?? fallback;
    return route && { route, pathParameters: parametersOf(route.key, segments) };
  };
}

function add(root: Node, route: ApiRoute): void {
  const [method = "", path = ""] = route.key.split(" ");
  let node = root;
  for (const segment of segmentsOf(path)) {
    if (segment.endsWith("+}")) {
      node.greedy.set(method, route);
      return;
    }
    node = segment.startsWith("{") ? variable(node) : literal(node, segment);
  }
  node.here.set(method, route);
}

function literal(node: Node, segment: string): Node {
  const next = node.literals.get(segment) ?? newNode();
  node.literals.set(segment, next);
  return next;
}

function variable(node: Node): Node {
  node.variable ??= newNode();
  return node.variable;
}

function find(node: Node, segments: readonly string[], at: number, method: string): ApiRoute | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.here.get(method) ?? node.here.get("ANY");
  const exact = node.literals.get(segment);
  return (
    (exact && find(exact, segments, at + 1, method)) ??
    (node.variable && segment !== "" ? find(node.variable, segments, at + 1, method) : undefined) ??
    (segment === "" ? undefined : (node.greedy.get(method) ?? node.greedy.get("ANY")))
  );
}

function parametersOf(key: string, segments: readonly string[]): Record<string, string> {
  const pattern = segmentsOf(key.split(" ")[1] ?? "");
  return Object.fromEntries(
    pattern.flatMap((name, index) => {
      if (!name.startsWith("{")) return [];
      const value = name.endsWith("+}") ? segments.slice(index).join("/") : (segments[index] ?? "");
      return [[name.replace(/[{+}]/g, ""), decoded(value)]];
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
