import { Wrench } from "lucide-react";
import type { Approval } from "../../../client/index.ts";
import { Badge } from "../../parts/badge.tsx";
import { CopyButton } from "../../parts/id.tsx";
import { Facts } from "../../parts/page.tsx";

/** Names a call among those of a run and of the runs within it. */
export const callKey = (id: string, member_run_id: string | undefined): string =>
  member_run_id === undefined ? id : `${member_run_id}/${id}`;

type Call = {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What runs instead. */
  readonly edited?: Readonly<Record<string, unknown>> | undefined;
  /** Member of a team that makes the call. */
  readonly by?: string;
};

/** The calls that an approval is about; one without requirements shows only its first. */
export function callsOf({ id, requirements, tool_name, tool_args, edited_args }: Approval): readonly Call[] {
  const calls = (requirements ?? []).map(({ tool_execution, member_agent_name, member_run_id }) => ({
    id: tool_execution.tool_call_id,
    name: tool_execution.tool_name,
    args: tool_execution.tool_args,
    edited: edited_args?.[callKey(tool_execution.tool_call_id, member_run_id)],
    ...(member_agent_name !== undefined && { by: member_agent_name }),
  }));
  if (calls.length > 0) return calls;
  return tool_name === null ? [] : [{ id, name: tool_name, args: tool_args ?? {} }];
}

/** In a few words, for lists and titles. */
export function titleOf(approval: Approval): string {
  const names = approval.context?.tool_names ?? [];
  const first = approval.tool_name ?? names[0] ?? "A question";
  return names.length > 1 ? `${first} and ${names.length - 1} more` : first;
}

/** Arguments in one line. */
export const briefOf = (args: Readonly<Record<string, unknown>> | null): string =>
  Object.entries(args ?? {})
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(", ");

const valueText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value, null, typeof value === "object" ? 2 : 0);

/** Exactly what is called, with every argument in full. */
export function Calls({ approval }: { readonly approval: Approval }) {
  const calls = callsOf(approval);
  if (calls.length === 0) {
    return <p className="soft">What was asked is no longer stored: the approval outlived its run.</p>;
  }
  return (
    <div className="stack-tight">
      {calls.map(({ id, name, args, edited, by }) => {
        const given = Object.entries(args);
        return (
          <div key={id} className="call">
            <div className="call-name">
              <Wrench size={14} aria-hidden />
              <h3 className="mono">{name}</h3>
              {by !== undefined && <Badge>by {by}</Badge>}
              <CopyButton text={JSON.stringify(args, null, 2)} label="Copy arguments" />
            </div>
            {given.length === 0 ? (
              <p className="soft">Without arguments</p>
            ) : (
              <Facts of={given.map(([key, value]) => [key, valueText(value)])} />
            )}
            {edited && (
              <>
                <p className="soft">Approved with these arguments instead:</p>
                <Facts of={Object.entries(edited).map(([key, value]) => [key, valueText(value)])} />
              </>
            )}
          </div>
        );
      })}
    </div>
  );
}
