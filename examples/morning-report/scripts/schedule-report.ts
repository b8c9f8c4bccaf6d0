import { createClient } from "@agentplatform/core/client";

const NAME = "morning report";

/**
 * Has the report written on each working day, and sent to a receiver. It may be called again: there is one schedule of this name.
 *   TOKEN=$(npx agent-platform token) node scripts/schedule-report.ts http://127.0.0.1:8080/
 *
 * @param receiver  address that `scripts/receive-reports.ts` listens at
 * @returns the schedule's id
 */
export async function scheduleReport(
  baseUrl: string,
  token: string,
  receiver: string,
  message = "Report on yesterday.",
): Promise<string> {
  const client = createClient({ baseUrl, token });
  const body = {
    name: NAME,
    cron_expr: "30 7 * * mon-fri",
    timezone: "Europe/Berlin",
    endpoint: "/agents/reporter/runs",
    payload: { message, callback_url: receiver },
  };
  const { data } = await client.listSchedules({ query: { limit: 100 } });
  const known = data.find(({ name }) => name === NAME);
  const { id } =
    known === undefined
      ? await client.createSchedule({ body })
      : await client.updateSchedule({ path: { schedule_id: known.id }, body });
  return id;
}

if (import.meta.main) {
  const { PLATFORM_URL = "http://127.0.0.1:7777", TOKEN = "" } = process.env;
  const [, , receiver = "http://127.0.0.1:8080/"] = process.argv;
  const id = await scheduleReport(PLATFORM_URL, TOKEN, receiver);
  const client = createClient({ baseUrl: PLATFORM_URL, token: TOKEN });
  const { secret } = await client.getCallbackSecret();
  console.log(
    `The schedule is ${id}. Start the receiver:\nWEBHOOK_SECRET=${secret} node scripts/receive-reports.ts`,
  );
}
