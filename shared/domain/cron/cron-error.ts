/** What is wrong with a cron expression. Thrown and caught within this folder only. */
export class CronError extends Error {
  override readonly name = "CronFault";
}
