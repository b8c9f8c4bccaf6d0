import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../access/use-me.ts";
import { type Kind, pluralOf } from "../../api/kinds.ts";
import { platform } from "../../api/platform.ts";
import { isObject } from "../../pauses/values.ts";

/** What can be talked to. */
export type Runnable = {
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

type Answered = {
  readonly id: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly introduction?: string | undefined;
  readonly model?: { readonly model: string } | undefined;
  readonly members?: readonly { readonly id: string; readonly name?: string | undefined }[];
  readonly input_schema?: Readonly<Record<string, unknown>> | undefined;
  readonly is_component: boolean;
  readonly current_version?: number | undefined;
};

/** The agents, teams and workflows that the reader may run. */
export function useComponents() {
  const may = useMay();
  const { data: config } = useQuery({
    queryKey: ["config"],
    queryFn: () => platform.getConfig(),
    staleTime: 60_000,
    retry: false,
  });
  const agents = useKind("agent", () => platform.listAgents());
  const teams = useKind("team", () => platform.listTeams());
  const workflows = useKind("workflow", () => platform.listWorkflows());
  const lists = [agents, teams, workflows];
  const prompts = config?.chat.quick_prompts ?? {};
  const components = lists
    .flatMap(({ kind, data }) => (data ?? []).map((one) => runnable(kind, one, prompts[one.id])))
    .filter(({ kind, id }) => may(`${pluralOf[kind]}:run`, id));
  return {
    components,
    isPending: lists.some(({ query }) => query.isLoading),
    error: lists.map(({ query }) => query.error).find((error) => error !== null),
    retry: () => lists.forEach(({ query }) => void query.refetch()),
  };
}

function useKind(kind: Kind, read: () => Promise<readonly Answered[]>) {
  const may = useMay();
  const query = useQuery({
    queryKey: ["runnables", kind],
    enabled: may(`${pluralOf[kind]}:read`) && may(`${pluralOf[kind]}:run`),
    queryFn: read,
    staleTime: 30_000,
  });
  return { kind, data: query.data, query };
}

function runnable(kind: Kind, one: Answered, prompts: readonly string[] = []): Runnable {
  const { id, name, description, introduction, model, members = [], input_schema, current_version } = one;
  return {
    kind,
    id,
    name: name ?? id,
    ...(description !== undefined && { description }),
    ...(introduction !== undefined && { introduction }),
    ...(model && { model: model.model }),
    members: members.map((member) => member.name ?? member.id),
    ...(isObject(input_schema) && input_schema.type === "object" && { inputSchema: input_schema }),
    ...(current_version !== undefined && { version: current_version }),
    isStored: one.is_component,
    prompts,
  };
}
