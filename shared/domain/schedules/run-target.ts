import type { ScheduleTarget, TargetType } from "../../schemas/schedules/schedule.ts";

const kinds: Readonly<Record<string, TargetType>> = { agents: "agent", teams: "team", workflows: "workflow" };

const RUN_PATH = /^\/(agents|teams|workflows)\/([^/?#]+)\/runs\/?$/;

/** The component whose run an endpoint starts; undefined for any other endpoint. */
export function runTarget(method: string, endpoint: string): ScheduleTarget | undefined {
  const [, kind = "", segment = ""] = RUN_PATH.exec(endpoint) ?? [];
  const type = kinds[kind];
  const id = decoded(segment);
  return method === "POST" && type !== undefined && id !== undefined ? { type, id } : undefined;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
