import type { DepthStore } from "../../shared/domain/jobs/queue-depth.ts";

/** Counts of a queue so short that no reading of it is shared. */
export function countsAlone(
  all: () => Promise<number>,
  ofUser: (userId: string) => Promise<number> = async () => 0,
): DepthStore {
  const unused = () => Promise.reject(new Error("a short queue has no shared reading"));
  return {
    count: (of) => (of === null ? all() : ofUser(of)),
    read: async () => undefined,
    take: unused,
    begin: unused,
    record: unused,
  };
}
