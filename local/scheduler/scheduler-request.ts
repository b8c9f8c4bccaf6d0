import type { AwsRequest } from "../iam/required-permissions.ts";

const onSchedule: Readonly<Record<string, string>> = {
  POST: "CreateSchedule",
  PUT: "UpdateSchedule",
  GET: "GetSchedule",
  DELETE: "DeleteSchedule",
};

/** Reads which operation of EventBridge Scheduler a request is for. No role may call an unknown operation. */
export function schedulerRequestOf(method: string, url: string, body: Buffer): AwsRequest {
  const { pathname, searchParams } = new URL(url, "http://scheduler");
  const [resource, name] = pathname.slice(1).split("/").map(decodeURIComponent);
  const sent: Record<string, unknown> = body.length > 0 ? JSON.parse(body.toString()) : {};
  if (resource === "schedules" && name !== undefined) {
    const GroupName = sent.GroupName ?? searchParams.get("groupName") ?? "default";
    const operation = onSchedule[method] ?? "Unknown";
    return { service: "scheduler", operation, body: { ...sent, Name: name, GroupName } };
  }
  if (resource === "schedules" && method === "GET") {
    const GroupName = searchParams.get("ScheduleGroup") ?? undefined;
    const query = Object.fromEntries(searchParams);
    return { service: "scheduler", operation: "ListSchedules", body: { ...query, GroupName } };
  }
  if (resource === "schedule-groups" && name !== undefined && method === "GET")
    return { service: "scheduler", operation: "GetScheduleGroup", body: { Name: name } };
  return { service: "scheduler", operation: "Unknown", body: {} };
}
