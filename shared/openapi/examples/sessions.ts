import type { sessionRoutes } from "../../routes/sessions.ts";
import type { SessionDetail, SessionItem } from "../../schemas/sessions/session.ts";
import type { ExamplesOf } from "./example.ts";
import { pageWith } from "./page-with.ts";
import { pathExamples } from "./path-examples.ts";
import { agentRow, completedRun } from "./runs/agent-run.ts";

const about = {
  session_id: pathExamples.session_id,
  session_name: "Order 4711",
  session_state: { order: "4711" },
  created_at: "2026-03-04T09:15:00Z",
  updated_at: "2026-03-04T09:15:02Z",
  user_id: "maria",
  agent_id: "assistant",
};
const item: SessionItem = {
  ...about,
  session_type: "agent",
  metrics: { input_tokens: 12, output_tokens: 7, total_tokens: 19 },
  total_tokens: 19,
};
const detail: SessionDetail = {
  ...about,
  agent_session_id: about.session_id,
  metrics: { input_tokens: 12, output_tokens: 7, total_tokens: 19 },
  total_tokens: 19,
  chat_history: completedRun.messages,
};

export const sessionExamples: ExamplesOf<typeof sessionRoutes> = {
  listSessions: { query: { type: "agent", session_name: "order" }, answer: pageWith(item) },
  createSession: {
    query: { type: "agent" },
    body: { session_name: "Order 4711", agent_id: "assistant", session_state: { order: "4711" } },
    answer: { ...detail, chat_history: [] },
  },
  removeSessions: { body: { session_ids: [about.session_id], session_types: ["agent"] } },
  getSession: { query: { type: "agent" }, answer: detail },
  updateSession: {
    body: { session_state: { order: "4711", paid: true } },
    answer: { ...detail, session_state: { order: "4711", paid: true } },
  },
  removeSession: {},
  renameSession: {
    body: { session_name: "Order 4711, paid" },
    answer: { ...detail, session_name: "Order 4711, paid" },
  },
  listSessionRuns: { query: { created_after: 1772615000 }, answer: [agentRow] },
  listRunPreviews: {
    query: { status: ["RUNNING", "COMPLETED"] },
    answer: [
      {
        run_id: completedRun.run_id,
        agent_id: "assistant",
        user_id: "maria",
        status: "COMPLETED",
        run_input: "Where is my order?",
        content_preview: "Order 4711 was sent this morning.",
        created_at: "2026-03-04T09:15:00Z",
      },
    ],
  },
  getSessionMedium: { answer: "the bytes of the file" },
  getSessionRun: { answer: agentRow },
};
