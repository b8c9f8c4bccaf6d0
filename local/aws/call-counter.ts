import type { AwsCall } from "./aws-endpoint.ts";

/** Counts the functions' calls to AWS, keyed `<function> <service>:<operation>`. */
export function callCounter() {
  const counts: Record<string, number> = {};
  const add = (key: string, n: number): void => {
    counts[key] = (counts[key] ?? 0) + n;
  };
  return {
    count: ({ caller, service, operation }: AwsCall): void =>
      add(`${caller.label} ${service}:${operation}`, 1),
    /** Adds calls that a function made without the endpoint, by `<service>:<operation>`. */
    countOf: ({ label }: { readonly label: string }, calls: Readonly<Record<string, number>>): void => {
      for (const [call, n] of Object.entries(calls)) add(`${label} ${call}`, n);
    },
    read: (): Readonly<Record<string, number>> => ({ ...counts }),
  };
}
