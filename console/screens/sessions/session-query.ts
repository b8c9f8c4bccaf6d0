import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SessionDetail, SessionItem } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { type Kind, pluralOf } from "../../api/kinds.ts";
import { platform } from "../../api/platform.ts";
import { countOf } from "../../parts/amounts.ts";
import { notify, notifyFailure } from "../../parts/messages.tsx";

export type Component = { readonly kind: Kind; readonly id: string };

/** What a session is of; undefined where it was made without a component. */
export function componentOfSession(session: SessionItem | SessionDetail): Component | undefined {
  const agent = "agent_id" in session ? session.agent_id : undefined;
  if (agent) return { kind: "agent", id: agent };
  const team = "team_id" in session ? session.team_id : undefined;
  if (team) return { kind: "team", id: team };
  const workflow = "workflow_id" in session ? session.workflow_id : undefined;
  return workflow ? { kind: "workflow", id: workflow } : undefined;
}

/** Kinds of sessions, distinguished by what only they have. */
export const kindOfSession = (session: SessionDetail): Kind =>
  "agent_session_id" in session ? "agent" : "session_data" in session ? "workflow" : "team";

export const sessionPath = (session_id: string): string => `/sessions/${encodeURIComponent(session_id)}`;

/** Whether the reader may run a component. */
export function useMayRun(): (component: Component | undefined) => component is Component {
  const may = useMay();
  return (component): component is Component =>
    component !== undefined && may(`${pluralOf[component.kind]}:run`, component.id);
}

/** Deletes sessions, one request for all of them. */
export function useRemoveSessions(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (sessions: readonly { readonly session_id: string; readonly session_type: Kind }[]) =>
      platform.removeSessions({
        body: {
          session_ids: sessions.map(({ session_id }) => session_id),
          session_types: sessions.map(({ session_type }) => session_type),
        },
      }),
    onSuccess: (_, { length }) => {
      notify(length === 1 ? "The session is deleted." : `${countOf(length, "session")} are deleted.`);
      onDone();
    },
    onError: notifyFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ["sessions", "list"] }),
  });
}
