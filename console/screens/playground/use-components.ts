import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../access/use-me.ts";
import { type Kind, pluralOf } from "../../api/kinds.ts";
import { config } from "../../api/queries.ts";
import { type Runnable as Listed, useRunnables } from "../../api/use-runnables.ts";
import { isObject } from "../../pauses/values.ts";

/** What can be talked to. */
export type Talker = {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly introduction?: string;
  readonly model?: string;
  readonly members: readonly string[];
  /** JSON Schema of its input, where it takes no free text. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** Of a stored component. */
  readonly version?: number;
  readonly isStored: boolean;
  readonly prompts: readonly string[];
};

const CONFIG_KEPT_MS = 60_000;

/** The agents, teams and workflows that the reader may run. */
export function useComponents() {
  const may = useMay();
  const { data } = useQuery({
    ...config,
    enabled: may("config:read"),
    staleTime: CONFIG_KEPT_MS,
  });
  const { runnables, isPending, error, refetch } = useRunnables();
  const prompts = data?.chat.quick_prompts ?? {};
  const components = runnables
    .filter(({ kind, id }) => may(`${pluralOf[kind]}:run`, id))
    .map((one) => talker(one, prompts[one.id]));
  return { components, isPending, error, retry: refetch };
}

function talker({ kind, id, name, shown }: Listed, prompts: readonly string[] = []): Talker {
  const { description, is_component: isStored, current_version: version } = shown;
  const introduction = "introduction" in shown ? shown.introduction : undefined;
  const model = "model" in shown ? shown.model?.model : undefined;
  const members = "members" in shown ? shown.members : [];
  const schema = "input_schema" in shown ? shown.input_schema : undefined;
  return {
    kind,
    id,
    name,
    ...(description !== undefined && { description }),
    ...(introduction !== undefined && { introduction }),
    ...(model !== undefined && { model }),
    members: members.map((member) => member.name ?? member.id),
    ...(isObject(schema) && schema.type === "object" && { inputSchema: schema }),
    ...(version !== undefined && { version }),
    isStored,
    prompts,
  };
}
