import type { AwsCall } from "./aws-endpoint.ts";

/** Counts the functions' calls to AWS, keyed `<function> <service>:<operation>`. */
export function callCounter() {
  const counts: Record<string, number> = {};
  return {
    count: ({ caller, service, operation }: AwsCall): void => {
      const key = `${caller.label} ${service}:${operation}`;
      counts[key] = (counts[key] ?? 0) + 1;
    },
    read: (): Readonly<Record<string, number>> => ({ ...counts }),
  };
}
