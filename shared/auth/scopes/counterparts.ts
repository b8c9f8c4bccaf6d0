/** Kinds of components, as paths spell them. */
const kinds = ["agents", "teams", "workflows"] as const;

/** What a route of a protocol does, in the words of the routes of runs; `*` stands for one segment. */
const actions = {
  run: (kind: string) => [`POST /${kind}/*/runs`, `POST /${kind}/*/runs/*/continue`],
  read: (kind: string) => [`GET /${kind}/*/runs/*`],
  cancel: (kind: string) => [`POST /${kind}/*/runs/*/cancel`],
} as const;

const ofOne: readonly (readonly [RegExp, keyof typeof actions])[] = [
  [/^POST \/(agents|teams|workflows)\/\*\/(?:agui|chat)$/, "run"],
  [/^GET \/(agents|teams|workflows)\/\*\/chat\/\*(?:\/stream)?$/, "read"],
  [/^POST \/(agents|teams|workflows)\/\*\/chat\/\*\/stop$/, "cancel"],
  [/^POST \/.+\/(agents|teams|workflows)\/\*(?:\/v1)?(?:\/message:(?:send|stream))?$/, "run"],
  [/^POST \/.+\/(agents|teams|workflows)\/\*\/v1\/tasks(?:\/\*)?:cancel$/, "cancel"],
  [/^(?:GET|POST) \/.+\/(agents|teams|workflows)\/\*\/v1\/tasks/, "read"],
];

/** They name their component within the request, which is not read before the decision. */
const ofAny = /^POST \/(?:mcp|agui|v1\/chat\/completions|v1\/responses|.+\/message\/(?:send|stream))$/;

/**
 * The routes of runs that do what a route of AG-UI, a chat, MCP or A2A does: what is mapped for those counts for this one too. A route
 * that does not name its component has those of every kind.
 *
 * @param shape  `METHOD /path`, with `*` for one segment
 */
export function counterpartsOf(shape: string): readonly string[] {
  if (ofAny.test(shape)) return kinds.flatMap(actions.run);
  for (const [pattern, action] of ofOne) {
    const [, kind] = pattern.exec(shape) ?? [];
    if (kind !== undefined) return actions[action](kind);
  }
  return [];
}
