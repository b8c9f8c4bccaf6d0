import type { Tool } from "./tool.ts";

/** Tools of one origin within an agent. */
export type ToolGroup = {
  /** Public: the origin, as errors name it. */
  readonly of: string;
  readonly tools: readonly Tool[];
  /** Put before the names that another group has too; see `ToolSource`. */
  readonly collision_prefix?: string | undefined;
};

export type DistinctTools = {
  readonly tools: readonly Tool[];
  /** A sentence that names the tool and its origins, where two have one name. */
  readonly clash?: string;
};

/** Model providers accept no other characters in a tool's name, and at most 64. */
export const toolName = (name: string): string => name.replace(/[^\w-]/g, "_").slice(0, 64);

/**
 * The tools of all groups, in their order. Names that several groups have get the prefix of those groups that have one.
 *
 * @returns with `clash` where two tools are left with one name
 */
export function distinctTools(groups: readonly ToolGroup[]): DistinctTools {
  const bearers = Map.groupBy(
    groups.flatMap((group) => group.tools.map(({ name }) => ({ name, group }))),
    ({ name }) => name,
  );
  const isShared = (name: string) => new Set((bearers.get(name) ?? []).map(({ group }) => group)).size > 1;
  const named = groups.flatMap(({ of, tools, collision_prefix }) =>
    tools.map((tool) => ({
      of,
      tool:
        collision_prefix !== undefined && isShared(tool.name)
          ? { ...tool, name: toolName(`${collision_prefix}_${tool.name}`) }
          : tool,
    })),
  );
  const tools = named.map(({ tool }) => tool);
  const clashing = [...Map.groupBy(named, ({ tool }) => tool.name)].find(([, same]) => same.length > 1);
  if (!clashing) return { tools };
  const [name, same] = clashing;
  const origins = [...new Set(same.map(({ of }) => of))];
  const whose = origins.length > 1 ? `one of ${origins.join(", one of ")}` : `both of ${origins[0]}`;
  return {
    tools,
    clash: `The agent has two tools named ${name}: ${whose}. Give a source a prefix, or on_collision: "prefix", or rename the client's.`,
  };
}
