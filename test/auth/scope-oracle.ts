import type { Route } from "../../shared/routes/route.ts";

/**
 * A second opinion, written from the words of the interface and sharing no code with the product: slow, flat, and by regular
 * expressions instead of parsed scopes.
 */
const kinds = ["agents", "teams", "workflows", "skills"];

export function oracle(held: readonly string[], route: Route, path: string): "allow" | "forbidden" {
  if (route.scopes === "public" || held.includes("platform:admin")) return "allow";
  const aliased = (scope: string) => scope.replace(/^system:/, "config:");
  const mine = held.map(aliased);
  const named = kinds.flatMap((kind) => {
    const place = new RegExp(`(?:^|/)${kind}/\\{[^}]*\\}`).exec(route.path);
    if (!place) return [];
    const before = route.path.slice(0, place.index).split("/").filter(Boolean).length;
    return [{ kind, id: path.split("/").filter(Boolean)[before + 1] }];
  })[0];
  for (const scope of route.scopes) {
    if (scope === "platform:admin") return "forbidden";
    const [resource, action] = aliased(scope).split(":");
    const wanted = named && resource !== undefined ? named.kind : resource;
    const whole = mine.includes(`${wanted}:${action}`) || mine.includes(`${wanted}:*:${action}`);
    const one = named !== undefined && mine.includes(`${wanted}:${named.id}:${action}`);
    const isList =
      route.method === "GET" && kinds.some((kind) => route.path === `/${kind}` && wanted === kind);
    const some =
      isList && action === "read" && mine.some((s) => new RegExp(`^${wanted}:[^:]*:read$`).test(s));
    if (!whole && !one && !some) return "forbidden";
  }
  return "allow";
}
