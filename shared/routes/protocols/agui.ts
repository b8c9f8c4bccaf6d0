import * as v from "valibot";
import { RunAgentInput } from "../../schemas/agui/run-agent-input.ts";
import { idEntry } from "../../schemas/values/path-ids.ts";
import type { Route } from "../route.ts";
import type { aguiOperations } from "./protocol-operations.ts";

type Plural = "agents" | "teams" | "workflows";
type Noun = "agent" | "team" | "workflow";

const streamed = {
  method: "POST",
  tag: "agui",
  streams: "agui",
  body: { json: RunAgentInput },
  response: { mediaType: "text/event-stream" },
} as const;

const description =
  "Answers the events of AG-UI 1.0 as server-sent events. threadId is the session. New messages of the user begin a run; results of tools and resume continue the paused run that waits for them; without anything new the thread is shown as it is.";

/** A thread belongs to one component, so each has its own. */
const asking = (threadId: string) =>
  ({
    example: {
      body: {
        threadId,
        runId: "run-1",
        messages: [{ id: "m1", role: "user", content: "Where is my order?" }],
      },
    },
  }) as const;

const rowOf = <P extends Plural, N extends Noun>(plural: P, noun: N) =>
  ({
    ...streamed,
    path: `/${plural}/{${noun}_id}/agui`,
    scopes: [`${plural}:run`] as const,
    params: v.object(idEntry(noun)),
    refuses: [400, 409, 503],
    strangers: 404,
    ...asking(`thread-of-${noun}`),
    summary: `Run the ${noun} for a front end that speaks AG-UI`,
    description,
  }) as const;

/** The interface of front ends by the protocol AG-UI. The family of runs serves it. */
export const aguiRoutes = {
  runAgui: {
    ...streamed,
    path: "/agui",
    /** Read by the handler, after it has checked the scope. */
    body: { text: "application/json", reads: RunAgentInput },
    /** The handler requires the scope to run the component, which is that of the settings. */
    scopes: [],
    refuses: [400, 404, 409, 422, 503],
    ...asking("thread-4711"),
    summary: "Run the component that answers AG-UI in this deployment",
    description,
  },
  getAguiStatus: {
    method: "GET",
    path: "/status",
    scopes: [],
    tag: "agui",
    response: v.object({ status: v.literal("available") }),
    summary: "Check that AG-UI is served",
  },
  runAgentAgui: rowOf("agents", "agent"),
  runTeamAgui: rowOf("teams", "team"),
  runWorkflowAgui: rowOf("workflows", "workflow"),
} as const satisfies Record<(typeof aguiOperations)[number], Route>;
