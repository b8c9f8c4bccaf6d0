import type { RunnableKind } from "../../../shared/engine/define/runnable.ts";
import type { Component } from "../../../shared/runs/index.ts";

type Declared = { readonly id: string };
type Registered = {
  readonly agents: readonly Declared[];
  readonly teams: readonly Declared[];
  readonly workflows: readonly Declared[];
};

const kinds: Readonly<Record<keyof Registered, RunnableKind>> = {
  agents: "agent",
  teams: "team",
  workflows: "workflow",
};

/** A component as settings name it: `agents/<id>`, `teams/<id>` or `workflows/<id>`. */
export function readComponent(text: string): Component | undefined {
  const [, plural, id = ""] = /^(agents|teams|workflows)\/(.+)$/.exec(text) ?? [];
  return plural === undefined ? undefined : { kind: kinds[plural as keyof Registered], id }; // as matched
}

/** The component of a setting; the first that is declared where it names none. */
export function aguiComponentOf(setting: string | undefined, registry: Registered): Component | undefined {
  if (setting !== undefined) return readComponent(setting);
  const plurals = ["agents", "teams", "workflows"] as const;
  const first = plurals.flatMap((plural) => registry[plural].map(({ id }) => ({ kind: kinds[plural], id })));
  return first[0];
}
